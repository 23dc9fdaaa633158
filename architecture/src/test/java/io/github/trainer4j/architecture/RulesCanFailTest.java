package io.github.trainer4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.github.trainer4j.api.Intruder;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.client.fixture.ClientSide;
import io.github.trainer4j.elsewhere.fixture.Stray;
import io.github.trainer4j.local.fixture.LeansOnAws;
import io.github.trainer4j.local.fixture.LeansOnClient;
import io.github.trainer4j.local.fixture.Names;
import io.github.trainer4j.local.fixture.one.One;
import io.github.trainer4j.local.fixture.two.Two;
import io.github.trainer4j.s3.fixture.HidesAws;
import io.github.trainer4j.s3.fixture.ShowsAws;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule that cannot fail guards nothing: each is shown classes that break it, and finds them. */
class RulesCanFailTest {

    static Stream<Class<?>> waysToShowAws() {
        return Stream.of(ShowsAws.class.getDeclaredClasses());
    }

    static Stream<Class<?>> badNames() {
        return Stream.of(
                Names.ThingImpl.class,
                Names.ThingUtil.class,
                Names.ThingUtils.class,
                Names.ThingManager.class,
                Names.ThingHelper.class,
                Names.AbstractThing.class);
    }

    @Test
    void aPlugInThatKnowsTheClientIsFound() {
        assertThat(violations(Rules.keepsItsArrows(Module.LOCAL), LeansOnClient.class))
                .isNotEmpty()
                .allMatch(violation -> violation.contains(ClientSide.class.getName()));
    }

    @Test
    void aLibraryOutsideItsModuleIsFound() {
        assertThat(violations(Rules.keepsItsArrows(Module.LOCAL), LeansOnAws.class))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("software.amazon.awssdk.regions.Region"));
        assertThat(violations(Rules.keepsItsArrows(Module.S3), HidesAws.class)).isEmpty();
    }

    @Test
    void aClassOfNoModuleIsFound() {
        assertThat(violations(Rules.everyPackageBelongsToAModule(), Stray.class, LeansOnAws.class))
                .containsExactly(Stray.class.getName() + " belongs to no module");
    }

    @Test
    void aCycleOfPackagesIsFound() {
        assertThat(violations(Rules.noPackageCycles(), One.class, Two.class)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void aNameThatSaysNothingIsFound(Class<?> type) {
        assertThat(violations(Rules.namesSayWhatAClassIs(), type)).hasSize(1);
    }

    @Test
    void aNameThatOnlyLooksLikeOneIsNot() {
        assertThat(violations(Rules.namesSayWhatAClassIs(), Names.Abstraction.class, Names.Implementation.class))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToShowAws")
    void aLibraryInAPublicSignatureIsFound(Class<?> type) {
        assertThat(violations(Rules.librariesStayOutOfPublicSignatures(), type, ShowsAws.class))
                .hasSize(1)
                .allMatch(violation -> violation.contains("shows software.amazon.awssdk."));
    }

    @Test
    void aLibraryThatNoUserSeesIsNot() {
        assertThat(violations(
                        Rules.librariesStayOutOfPublicSignatures(),
                        HidesAws.class,
                        HidesAws.class.getDeclaredClasses()[0]))
                .isEmpty();
    }

    @Test
    void aPackageInTwoArtifactsIsFound() {
        assertThat(violations(Rules.aPackageLivesInOneArtifact(), Intruder.class, TrainJob.class, Stray.class))
                .hasSize(1)
                .allMatch(violation -> violation.startsWith("io.github.trainer4j.api lives in "));
    }

    private static List<String> violations(ArchRule rule, Class<?>... classes) {
        return rule.evaluate(new ClassFileImporter().importClasses(classes))
                .getFailureReport()
                .getDetails();
    }
}
