package io.github.trainer4j.testkit;

import java.io.IOException;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks tests that need a real engine or cluster, whose address an environment variable has, or what else a variable leads
 * to. Without it they are skipped, and say so; with {@code -Dengines=required} they fail. Several classes are tested at the same time,
 * each in a JVM of its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Tag("engine")
@ExtendWith({RequiresEngine.Condition.class, RequiresEngine.Turn.class})
public @interface RequiresEngine {
    /** The variables, all of which are needed. */
    String[] value();

    /** Whether the tests are skipped also where engines are required: for an engine that takes long to build. */
    boolean optional() default false;

    /** Whether no other class may use the engine at the same time: for tests that stop it. */
    boolean alone() default false;

    /** Looks for the variables. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Optional<RequiresEngine> wanted = of(context);
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
                    + "; .ci/run starts what is needed";
            if ("required".equals(System.getProperty("engines"))
                    && !wanted.get().optional()) {
                throw new IllegalStateException(reason);
            }
            System.out.println(context.getDisplayName() + " is skipped, " + reason);
            return ConditionEvaluationResult.disabled(reason);
        }

        static Optional<RequiresEngine> of(ExtensionContext context) {
            return context.getTestClass().flatMap(type -> AnnotationSupport.findAnnotation(type, RequiresEngine.class));
        }
    }

    /** Waits until the engines can be used, which other JVMs may be using. */
    final class Turn implements BeforeAllCallback {
        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Turn.class);

        @Override
        public void beforeAll(ExtensionContext context) throws IOException {
            RequiresEngine wanted = Condition.of(context).orElseThrow();
            Path locks = Files.createDirectories(Path.of("target", "engine-locks"));
            for (String variable : wanted.value()) {
                Path file = locks.resolve(variable + ".lock");
                FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                // Closed, and the lock given back with it, when all tests of the class are done.
                context.getStore(NAMESPACE).put(variable, channel);
                channel.lock(0, Long.MAX_VALUE, !wanted.alone());
            }
        }
    }
}
