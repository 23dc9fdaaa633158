package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.Secret;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that will be created for a job, checked.
 *
 * @param name the job's name
 * @param trainJob the TrainJob resource
 * @param secrets what the job's Secret holds; empty: it has none
 * @param files what the job's ConfigMap holds; empty: it has none
 * @param claim what the job's volume claim asks for; empty: it has none
 * @param shown the plan for people
 */
record KubernetesPlan(
        String name,
        Map<String, Object> trainJob,
        Map<String, Secret> secrets,
        Map<String, String> files,
        Map<String, Object> claim,
        JobPlan shown) {
    KubernetesPlan {
        trainJob = Collections.unmodifiableMap(new LinkedHashMap<>(trainJob));
        secrets = Collections.unmodifiableMap(new LinkedHashMap<>(secrets));
        claim = Collections.unmodifiableMap(new LinkedHashMap<>(claim));
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }
}
