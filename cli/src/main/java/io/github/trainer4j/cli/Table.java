package io.github.trainer4j.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns, as wide as what is in them. */
final class Table {
    private static final int GAP = 3;

    private final List<List<String>> rows = new ArrayList<>();

    Table(String... headings) {
        rows.add(List.of(headings));
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    void print(Out out) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(
                        widths[i], row.get(i).codePointCount(0, row.get(i).length()));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i));
                if (i + 1 < row.size()) {
                    int length = row.get(i).codePointCount(0, row.get(i).length());
                    line.append(" ".repeat(widths[i] - length + GAP));
                }
            }
            out.line(line.toString().stripTrailing());
        }
    }
}
