#include "render/grid.h"

#include "base/utf8.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS_MAX 32
/* Blanks between two columns of a table, and before the first. */
#define GAP 2

void grid_begin(grid *g, grid_style style, size_t columns, unsigned right)
{
    g->style = style;
    g->columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX;
    g->right = right;
    g->text.size = 0;
    g->ends.size = 0;
    g->whole = false;
    g->failed = false;
}

void grid_clear(grid *g)
{
    buf_clear(&g->text);
    buf_clear(&g->ends);
}

/* What would end a cell is spelt out, everything else stays as it is. */
static bool append_field(buf *out, const char *bytes, size_t n)
{
    bool ok = true;
    for (size_t i = 0, from = 0; ok && i <= n; i++) {
        const char c = i < n ? bytes[i] : '\n';
        if (c != '\t' && c != '\n' && c != '\r') {
            continue;
        }
        ok = buf_append(out, bytes + from, i - from) && (i == n || buf_append(out,
                                                                              c == '\t'   ? "\\t"
                                                                              : c == '\n' ? "\\n"
                                                                                          : "\\r",
                                                                              2));
        from = i + 1;
    }
    return ok;
}

void grid_bytes(grid *g, const char *bytes, size_t n)
{
    const bool ok =
        g->style == GRID_TSV ? append_field(&g->text, bytes, n) : render_escape(&g->text, bytes, n);
    if (!ok || !buf_append(&g->ends, &g->text.size, sizeof g->text.size)) {
        g->failed = true;
    }
}

void grid_string(grid *g, const char *text)
{
    grid_bytes(g, text, strlen(text));
}

void grid_score(grid *g, double value)
{
    char text[352]; /* the largest double has 309 digits before its point */
    if (isnan(value)) {
        grid_string(g, "n/a");
        return;
    }
    snprintf(text, sizeof text, "%.6f", fabs(value) < 5e-7 ? 0.0 : value);
    grid_string(g, text);
}

void grid_count(grid *g, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    grid_string(g, text);
}

static const char *cell(const grid *g, size_t i, size_t *n)
{
    size_t from = 0, to;
    if (i > 0) {
        memcpy(&from, g->ends.data + (i - 1) * sizeof from, sizeof from);
    }
    memcpy(&to, g->ends.data + i * sizeof to, sizeof to);
    *n = to - from;
    return *n ? g->text.data + from : "";
}

static void measure(const grid *g, size_t cells, size_t widths[COLUMNS_MAX])
{
    memset(widths, 0, COLUMNS_MAX * sizeof *widths);
    for (size_t i = 0; i < cells; i++) {
        size_t n;
        const char *bytes = cell(g, i, &n);
        const size_t width = utf8_width(bytes, n);
        if (width > widths[i % g->columns]) {
            widths[i % g->columns] = width;
        }
    }
}

static bool append_row(const grid *g, buf *out, size_t first, const size_t *widths)
{
    size_t columns = g->columns, n;
    while (!g->whole && columns > 0 && (cell(g, first + columns - 1, &n), n == 0)) {
        columns--;
    }
    bool ok = true;
    size_t blanks = GAP; /* owed before the next cell of a table */
    for (size_t c = 0; ok && c < columns; c++) {
        const char *bytes = cell(g, first + c, &n);
        if (g->style != GRID_TABLE) {
            ok = (c == 0 || buf_append(out, "\t", 1)) && buf_append(out, bytes, n);
            continue;
        }
        const size_t pad = widths[c] - utf8_width(bytes, n);
        const bool right = (g->right >> c) & 1u;
        ok = buf_printf(out, "%*s", (int)(blanks + (right ? pad : 0)), "") &&
             buf_append(out, bytes, n);
        blanks = GAP + (right ? 0 : pad);
    }
    return ok && buf_append(out, "\n", 1);
}

bool grid_append(const grid *g, buf *out)
{
    const size_t cells = g->ends.size / sizeof(size_t);
    size_t widths[COLUMNS_MAX];
    if (g->failed) {
        return false;
    }
    measure(g, cells, widths);
    bool ok = true;
    for (size_t i = 0; ok && i + g->columns <= cells; i += g->columns) {
        ok = append_row(g, out, i, widths);
    }
    return ok;
}
