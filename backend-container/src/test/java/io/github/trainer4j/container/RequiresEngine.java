package io.github.trainer4j.container;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks tests that need a real engine, whose address an environment variable has, or what else a variable leads to. Without
 * it they are skipped, and say so; with {@code -Dengines=required} they fail.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(RequiresEngine.Condition.class)
@interface RequiresEngine {
    /** The variables, all of which are needed. */
    String[] value();

    /** Looks for the variable. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Optional<RequiresEngine> wanted = context.getTestClass()
                    .flatMap(type -> AnnotationSupport.findAnnotation(type, RequiresEngine.class));
            if (wanted.isEmpty()) {
                return ConditionEvaluationResult.enabled("needs no engine");
            }
            List<String> missing = Arrays.stream(wanted.get().value())
                    .filter(variable -> System.getenv(variable) == null)
                    .toList();
            if (missing.isEmpty()) {
                return ConditionEvaluationResult.enabled("all that is needed is there");
            }
            String reason = "no engine: the environment has no " + String.join(", no ", missing)
                    + "; start one with .ci/engines";
            if ("required".equals(System.getProperty("engines"))) {
                throw new IllegalStateException(reason);
            }
            System.out.println(context.getDisplayName() + " is skipped, " + reason);
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
