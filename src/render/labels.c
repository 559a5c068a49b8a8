#include "render/labels.h"

#include "base/mem.h"

#include <math.h>

/* The sheet in squares of this width: what is taken is known no finer. */
#define CELL 2.0
/* Half the width of a point, and the gap between it and its label. */
#define POINT 4.0
#define GAP 6.0

typedef struct sheet {
    unsigned char *taken;
    size_t columns, rows;
    double wide, high;
} sheet;

typedef struct box {
    double left, top, right, bottom;
} box;

static size_t cell_of(double at, size_t cells)
{
    const double i = floor(at / CELL);
    return i < 0.0 ? 0 : i >= (double)cells ? cells - 1 : (size_t)i;
}

static bool is_free(const sheet *s, box b)
{
    if (b.left < 0.0 || b.top < 0.0 || b.right > s->wide || b.bottom > s->high) {
        return false;
    }
    for (size_t r = cell_of(b.top, s->rows); r <= cell_of(b.bottom, s->rows); r++) {
        for (size_t c = cell_of(b.left, s->columns); c <= cell_of(b.right, s->columns); c++) {
            if (s->taken[r * s->columns + c]) {
                return false;
            }
        }
    }
    return true;
}

static void take(sheet *s, box b)
{
    for (size_t r = cell_of(b.top, s->rows); r <= cell_of(b.bottom, s->rows); r++) {
        for (size_t c = cell_of(b.left, s->columns); c <= cell_of(b.right, s->columns); c++) {
            s->taken[r * s->columns + c] = 1;
        }
    }
}

/* The box whose nearest edge or corner lies `gap` from the point, in direction (x, y), each of
   which is -1, 0 or 1 or between. */
static box beside(const label *l, double height, double x, double y, double gap)
{
    const double left = l->x + x * (gap + 0.5 * l->width) - 0.5 * l->width;
    const double top = l->y + y * (gap + 0.5 * height) - 0.5 * height;
    return (box){left, top, left + l->width, top + height};
}

static bool try_box(sheet *s, label *l, box b, bool away)
{
    if (!is_free(s, b)) {
        return false;
    }
    take(s, b);
    l->left = b.left;
    l->top = b.top;
    l->anchor = b.left >= l->x ? 0.0 : b.right <= l->x ? 1.0 : 0.5;
    l->placed = true;
    l->away = away;
    return true;
}

static void place(sheet *s, label *l, double height)
{
    static const double near[][2] = {{1, 0},       {-1, 0},       {0, -1},     {0, 1},
                                     {0.8, -0.75}, {-0.8, -0.75}, {0.8, 0.75}, {-0.8, 0.75}};
    static const double rings[] = {14.0, 22.0, 32.0, 44.0};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        if (try_box(s, l, beside(l, height, near[i][0], near[i][1], GAP), false)) {
            return;
        }
    }
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++) {
        for (int step = 0; step < 16; step++) {
            const double angle = 3.14159265358979 / 8.0 * (double)step;
            if (try_box(s, l, beside(l, height, cos(angle), sin(angle), rings[r]), true)) {
                return;
            }
        }
    }
}

bool labels_place(label *labels, size_t count, double height, double wide, double high)
{
    sheet s = {.columns = (size_t)ceil(wide / CELL) + 1,
               .rows = (size_t)ceil(high / CELL) + 1,
               .wide = wide,
               .high = high};
    s.taken = mem_calloc(s.rows, s.columns);
    if (!s.taken) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const label *l = &labels[i];
        take(&s, (box){l->x - POINT, l->y - POINT, l->x + POINT, l->y + POINT});
    }
    for (size_t i = 0; i < count; i++) {
        labels[i].placed = labels[i].away = false;
        if (labels[i].width > 0.0) {
            place(&s, &labels[i], height);
        }
    }
    mem_free(s.taken);
    return true;
}
