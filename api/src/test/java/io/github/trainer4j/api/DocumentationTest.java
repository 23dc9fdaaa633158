package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ThrowsTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Everything public is documented. Doclint's own group {@code missing} also asks for a {@code @param} and {@code @return}
 * of each method, which for short methods repeat the sentence above them; this asks for what people miss: a sentence for
 * every element, the components of records, and the checked exceptions.
 */
class DocumentationTest {
    @Test
    void everyPublicElementIsDocumented() throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(new Source(file.toUri(), Files.readString(file)));
            }
        }

        assertThat(sources).hasSizeGreaterThan(60);
        assertThat(undocumented(sources)).isEmpty();
    }

    @Test
    void whatIsMissingIsFound() throws IOException {
        Source source = new Source(URI.create("mem:///Sample.java"), """
                package sample;
                /** Documented. */
                public interface Sample {
                    void bare();
                    /** Throws. */
                    void throwing() throws java.io.IOException;
                    /**
                     * A record.
                     *
                     * @param named is
                     */
                    record Pair(int named, int unnamed) {
                        void hidden() {}
                        @Override public String toString() { return ""; }
                        public Pair {}
                    }
                    /** Constants. */
                    enum Kind { FIRST }
                }
                """);

        assertThat(undocumented(List.of(source)))
                .containsExactlyInAnyOrder(
                        "/Sample.java: bare has no sentence",
                        "/Sample.java: throwing has no @throws IOException",
                        "/Sample.java: Pair has no @param unnamed",
                        "/Sample.java: <init> has no sentence",
                        "/Sample.java: FIRST has no sentence");
    }

    private static List<String> undocumented(List<? extends JavaFileObject> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources);
        Finder finder = new Finder(DocTrees.instance(task));
        for (CompilationUnitTree unit : task.parse()) {
            finder.scan(unit, null);
        }
        return finder.missing;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(URI uri, String text) {
            super(uri, Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Finder extends TreePathScanner<Void, Void> {
        private final List<String> missing = new ArrayList<>();
        private final DocTrees docs;

        Finder(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, Void none) {
            if (!isPublic(type.getModifiers())) {
                return null;
            }
            DocCommentTree comment = comment(type.getSimpleName());
            if (type.getKind() == Tree.Kind.RECORD && comment != null) {
                Set<String> described = comment.getBlockTags().stream()
                        .filter(ParamTree.class::isInstance)
                        .map(tag -> ((ParamTree) tag).getName().toString())
                        .collect(Collectors.toSet());
                for (Tree member : type.getMembers()) {
                    if (member instanceof VariableTree component
                            && !component.getModifiers().getFlags().contains(Modifier.STATIC)
                            && !described.contains(component.getName().toString())) {
                        report(type.getSimpleName() + " has no @param " + component.getName());
                    }
                }
            }
            return super.visitClass(type, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, Void none) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            if (!isPublic(method.getModifiers()) || overrides || isGenerated(method)) {
                return null;
            }
            DocCommentTree comment = comment(method.getName());
            if (comment != null) {
                String described = comment.getBlockTags().stream()
                        .filter(ThrowsTree.class::isInstance)
                        .map(DocTree::toString)
                        .collect(Collectors.joining("\n"));
                for (ExpressionTree exception : method.getThrows()) {
                    String name = exception.toString().replaceFirst(".*\\.", "");
                    if (!described.contains(name)) {
                        report(method.getName() + " has no @throws " + name);
                    }
                }
            }
            return null;
        }

        @Override
        public @Nullable Void visitVariable(VariableTree field, Void none) {
            if (isPublic(field.getModifiers()) && !isRecordComponent(field)) {
                comment(field.getName());
            }
            return null;
        }

        /** A parser adds a default constructor, without a position of its own. */
        private boolean isGenerated(MethodTree method) {
            CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
            return docs.getSourcePositions().getEndPosition(unit, method) < 0;
        }

        private boolean isRecordComponent(VariableTree field) {
            return getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC);
        }

        private boolean isPublic(ModifiersTree modifiers) {
            TreePath parent = getCurrentPath().getParentPath();
            boolean inInterface = parent != null && parent.getLeaf().getKind() == Tree.Kind.INTERFACE;
            Set<Modifier> flags = modifiers.getFlags();
            return flags.contains(Modifier.PUBLIC)
                    || flags.contains(Modifier.PROTECTED)
                    || (inInterface && !flags.contains(Modifier.PRIVATE));
        }

        private @Nullable DocCommentTree comment(CharSequence name) {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            if (comment == null || comment.getFirstSentence().isEmpty()) {
                report(name + " has no sentence");
                return null;
            }
            return comment;
        }

        private void report(String what) {
            missing.add(getCurrentPath()
                            .getCompilationUnit()
                            .getSourceFile()
                            .toUri()
                            .getPath() + ": " + what);
        }
    }
}
