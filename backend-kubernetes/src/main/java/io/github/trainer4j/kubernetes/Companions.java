package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is made for a job beside its TrainJob: a Secret, a ConfigMap and a volume claim.
 *
 * @param api the server
 */
record Companions(Api api) {
    void createSecret(String job, Map<String, io.github.trainer4j.api.Secret> values) {
        Map<String, String> revealed = new LinkedHashMap<>();
        values.forEach((key, secret) -> revealed.put(key, secret.reveal()));
        Secret secret = Api.mark(new SecretBuilder()
                .withMetadata(companion(job))
                .withStringData(revealed)
                .build());
        var place = api.client().secrets().inNamespace(api.namespace()).resource(secret);
        api.createOnce("secrets", secret, place::create, place::get);
    }

    void createConfigMap(String job, Map<String, String> files) {
        ConfigMap map = Api.mark(new ConfigMapBuilder()
                .withMetadata(companion(job))
                .withData(files)
                .build());
        var place = api.client().configMaps().inNamespace(api.namespace()).resource(map);
        api.createOnce("configmaps", map, place::create, place::get);
    }

    /** Gives a job's Secret to its TrainJob, so that it goes when that goes. */
    void adoptSecret(String job, String uid) {
        adopt("secrets", api.client().secrets().inNamespace(api.namespace()).withName(Names.companion(job)), job, uid);
    }

    /** Gives a job's ConfigMap to its TrainJob. */
    void adoptConfigMap(String job, String uid) {
        adopt(
                "configmaps",
                api.client().configMaps().inNamespace(api.namespace()).withName(Names.companion(job)),
                job,
                uid);
    }

    /** To do this twice, because an answer was lost, is to do it once. */
    private void adopt(String what, Resource<?> companion, String job, String uid) {
        String patch = Serialization.asJson(Map.of("metadata", Map.of("ownerReferences", List.of(owner(job, uid)))));
        api.ask("patch", what, () -> companion.patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    /** Creates the volume claim of a TrainJob, which goes when that goes. */
    void createClaim(String job, String uid, Map<String, Object> spec) {
        PersistentVolumeClaim claim = Api.mark(new PersistentVolumeClaimBuilder()
                .withMetadata(companion(job))
                .editMetadata()
                .addToOwnerReferences(owner(job, uid))
                .endMetadata()
                .withSpec(Serialization.unmarshal(Serialization.asJson(spec), PersistentVolumeClaimSpec.class))
                .build());
        var place = api.client()
                .persistentVolumeClaims()
                .inNamespace(api.namespace())
                .resource(claim);
        api.createOnce("persistentvolumeclaims", claim, place::create, place::get);
    }

    private static ObjectMeta companion(String job) {
        return new ObjectMetaBuilder()
                .withName(Names.companion(job))
                .addToLabels(Names.JOB_LABEL, job)
                .build();
    }

    private static OwnerReference owner(String job, String uid) {
        return new OwnerReferenceBuilder()
                .withApiVersion(Names.API_VERSION)
                .withKind(Names.TRAIN_JOB)
                .withName(job)
                .withUid(uid)
                .build();
    }

    void deleteSecret(String job) {
        api.ask(
                "delete",
                "secrets",
                () -> api.client()
                        .secrets()
                        .inNamespace(api.namespace())
                        .withName(Names.companion(job))
                        .delete());
    }

    void deleteConfigMap(String job) {
        api.ask(
                "delete",
                "configmaps",
                () -> api.client()
                        .configMaps()
                        .inNamespace(api.namespace())
                        .withName(Names.companion(job))
                        .delete());
    }
}
