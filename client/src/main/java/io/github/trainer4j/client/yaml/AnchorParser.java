package io.github.trainer4j.client.yaml;

import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.events.NodeEvent;

/** A parser that also tells the anchors of plain values; Jackson's own forgets them. */
final class AnchorParser extends YAMLParser {
    private AnchorParser(
            IOContext context,
            int features,
            int yamlFeatures,
            LoaderOptions options,
            @Nullable ObjectCodec codec,
            Reader reader) {
        super(context, features, yamlFeatures, options, codec, reader);
    }

    /** Returns the anchor of the value that the current token is, or begins. */
    Optional<String> anchor() {
        return _lastEvent instanceof NodeEvent event ? Optional.ofNullable(event.getAnchor()) : Optional.empty();
    }

    /** Makes such parsers. */
    static final class Factory extends YAMLFactory {
        private static final long serialVersionUID = 1;

        AnchorParser parser(String text) throws IOException {
            return (AnchorParser) createParser(text);
        }

        @Override
        protected YAMLParser _createParser(Reader reader, IOContext context) {
            return new AnchorParser(
                    context, _parserFeatures, _yamlParserFeatures, _loaderOptions, _objectCodec, reader);
        }
    }
}
