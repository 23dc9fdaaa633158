package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.transfer.SourceException;
import java.util.Optional;

/**
 * What a refusal means for the download, and what the user can do about it.
 *
 * @param place what was asked for, with the store: {@code s3://bucket/key at https://host}
 * @param bucket the bucket
 * @param site the store
 * @param inPath whether the bucket was part of the path
 * @param signer what it was signed with, without showing it
 * @param anonymous whether nothing was signed
 */
record Verdict(String place, String bucket, Site site, boolean inPath, String signer, boolean anonymous) {
    /**
     * Returns the error by which the engine tries again.
     *
     * @throws InitializerException if trying again is of no use
     */
    SourceException on(Refusal refusal) {
        Optional<String> region = refusal.otherRegion(site.region());
        if (region.isPresent()) {
            throw fatal(
                    "the bucket of " + place + " is in the region " + region.get() + ", not in " + site.region(),
                    refusal,
                    "give region=" + region.get(),
                    "NotFound");
        }
        return switch (refusal.code()) {
            case "NoSuchBucket", "InvalidBucketName" -> throw noBucket(refusal);
            case "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired", "MissingAuthenticationToken" ->
                throw fatal(
                        "the store does not know " + signer + ", for " + place,
                        refusal,
                        "check access_key_id, and session_token if the keys are temporary",
                        "Unauthorized");
            case "SignatureDoesNotMatch" ->
                throw fatal(
                        "the signature by " + signer + " is wrong for " + place,
                        refusal,
                        "check secret_access_key, and that no proxy changes the request",
                        "Unauthorized");
            case "ExpiredToken" ->
                throw fatal(
                        signer + " expired, for " + place, refusal, "get new ones and run it again", "Unauthorized");
            case "RequestTimeTooSkewed", "RequestExpired" ->
                throw fatal(
                        "the clock of this machine and that of the store differ, for " + place,
                        refusal,
                        "set the clock",
                        "Unauthorized");
            case "InvalidObjectState" ->
                throw fatal(place + " is archived", refusal, "restore it at the store first", "Forbidden");
            case "SlowDown", "TooManyRequests", "Throttling", "ThrottlingException", "RequestLimitExceeded" ->
                SourceException.rateLimited(refusal.describe(), refusal.retryAfter());
            case "RequestTimeout", "InternalError", "OperationAborted" ->
                SourceException.retry(refusal.describe(), refusal.retryAfter());
            default -> byStatus(refusal);
        };
    }

    private SourceException byStatus(Refusal refusal) {
        int status = refusal.status();
        return switch (status) {
            case 401, 403 -> throw forbidden(refusal);
            // Missing objects do not come here: it is the bucket, or whatever else a store calls not found.
            case 404 ->
                throw refusal.code().isEmpty()
                        ? noBucket(refusal)
                        : fatal(
                                "the store does not find what is asked for with " + place,
                                refusal,
                                "check the bucket, the endpoint and the keys",
                                "NotFound");
            case 408, 500, 502, 504 -> SourceException.retry(refusal.describe(), refusal.retryAfter());
            case 412 -> SourceException.changed(place + " has changed since it was listed");
            case 416 -> SourceException.unsatisfiable(place + " is shorter than it was when it was listed");
            case 429, 503 -> SourceException.rateLimited(refusal.describe(), refusal.retryAfter());
            default -> {
                if (status >= 500 && status != 501 && status != 505) {
                    yield SourceException.retry(refusal.describe(), refusal.retryAfter());
                }
                throw fatal(
                        "the store does not give " + place,
                        refusal,
                        status / 100 == 3
                                ? "this is not where the bucket is: check endpoint and region"
                                : "check the endpoint: its scheme (http or https), port, and that it is an S3 service",
                        "Refused");
            }
        };
    }

    private InitializerException noBucket(Refusal refusal) {
        return fatal(
                "there is no bucket '" + bucket + "' for " + place,
                refusal,
                "check its name and the endpoint"
                        + (site.endpoint().isEmpty()
                                ? ""
                                : inPath
                                        ? ", and whether the store wants the bucket in the host's name (path_style=false)"
                                        : ", and whether the store wants the bucket in the path (path_style=true)"),
                "NotFound");
    }

    private InitializerException forbidden(Refusal refusal) {
        return fatal(
                place + " may not be read " + (anonymous ? "without credentials" : "with " + signer),
                refusal,
                anonymous
                        ? "leave out anonymous and give credentials that may read it"
                        : "these credentials need the rights s3:ListBucket for the bucket and s3:GetObject for its objects;"
                                + " if everybody may read it, give anonymous=true",
                "Forbidden");
    }

    private static InitializerException fatal(String what, Refusal refusal, String todo, String reason) {
        return new InitializerException(what + " (" + refusal.describe() + "); " + todo, reason, null);
    }
}
