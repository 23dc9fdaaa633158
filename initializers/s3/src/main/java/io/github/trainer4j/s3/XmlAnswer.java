package io.github.trainer4j.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads an XML answer as texts with their paths, such as {@code ListBucketResult/Contents/Key}. Namespaces do not matter. */
final class XmlAnswer {
    private XmlAnswer() {}

    /**
     * Reads to the end.
     *
     * @param text is given the path and the text of every element without children
     * @param end is given the path of every element that ends, after its text
     * @throws IOException if the stream breaks
     * @throws XMLStreamException if it is not well-formed
     */
    static void read(InputStream in, BiConsumer<String, String> text, java.util.function.Consumer<String> end)
            throws IOException, XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        // An answer has no business with files and hosts of ours.
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(in, StandardCharsets.UTF_8.name());
        try {
            Deque<String> paths = new ArrayDeque<>();
            StringBuilder content = new StringBuilder();
            boolean leaf = false;
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        String parent = paths.peek();
                        paths.push(parent == null ? reader.getLocalName() : parent + "/" + reader.getLocalName());
                        content.setLength(0);
                        leaf = true;
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                        content.append(reader.getText());
                    case XMLStreamConstants.END_ELEMENT -> {
                        String path = paths.pop();
                        if (leaf) {
                            text.accept(path, content.toString());
                        }
                        end.accept(path);
                        leaf = false;
                    }
                    default -> {}
                }
            }
        } catch (XMLStreamException e) {
            if (e.getNestedException() instanceof IOException io) {
                throw io;
            }
            throw e;
        } finally {
            reader.close();
        }
    }
}
