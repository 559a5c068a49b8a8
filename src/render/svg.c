/* A map as SVG: points, labels, axes and a legend. */
#include "base/mem.h"
#include "base/utf8.h"
#include "render/labels.h"
#include "render/markup.h"
#include "render/picture.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>

/* The plot of up to 100 words; more words get a larger sheet, up to a point. */
#define PLOT_WIDE 860.0
#define PLOT_HIGH 600.0
#define ROOMY 100.0
#define LARGEST 4.0
/* Round the plot: title above, axis and note below, numbers of the axis at the left. */
#define LEFT 60.0
#define RIGHT 20.0
#define ABOVE 50.0
#define BELOW 60.0
#define LEGEND_LINE 20.0
/* Points stay off the frame by this much, so that labels have room. */
#define INSIDE 40.0
/* A column of text in sizes of the font, generously; the labels' font and line. */
#define COLUMN 0.62
#define FONT 12.0
#define LINE 14.0
/* Names longer than this many columns stand in titles only. */
#define LABEL_COLUMNS 40
#define GREY "#767676"
#define INK "#1c1c1c"

typedef struct drawing {
    const picture *picture;
    buf *out;
    double wide, high; /* of the plot */
    double scale;      /* units of the places -> of the sheet */
    double middle[2];  /* of the places */
    double legend;     /* height of the legend */
    label *labels;
    bool ok;
} drawing;

const char *picture_colour(size_t group)
{
    static const char *const colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                          "#d55e00", "#56b4e9", "#f0e442"};
    return colours[group % (sizeof colours / sizeof *colours)];
}

/* ------------------------------------------------------------- pieces of text */

static void say(drawing *d, const char *text)
{
    d->ok = d->ok && buf_append_string(d->out, text);
}

static void say_bytes(drawing *d, const char *bytes, size_t n)
{
    d->ok = d->ok && markup_text(d->out, bytes, n);
}

/* A coordinate, to a hundredth. */
static void say_at(drawing *d, double value)
{
    const long hundredths = lround(value * 100.0);
    const long rest = labs(hundredths % 100);
    d->ok = d->ok && buf_printf(d->out, "%s%ld", hundredths < 0 && hundredths > -100 ? "-" : "",
                                hundredths / 100);
    if (rest) {
        d->ok = d->ok &&
                buf_printf(d->out, rest % 10 ? ".%02ld" : ".%ld", rest % 10 ? rest : rest / 10);
    }
}

/* Two coordinates with text before, between and after them. */
static void say_pair(drawing *d, const char *before, double x, const char *between, double y,
                     const char *after)
{
    say(d, before);
    say_at(d, x);
    say(d, between);
    say_at(d, y);
    say(d, after);
}

/* ------------------------------------------------------------------- the plot */

static double sheet_x(const drawing *d, double x)
{
    return LEFT + 0.5 * d->wide + (x - d->middle[0]) * d->scale;
}

static double sheet_y(const drawing *d, double y)
{
    return ABOVE + 0.5 * d->high - (y - d->middle[1]) * d->scale;
}

/* One scale for both axes: a picture of distances must not stretch one of them. */
static void measure(drawing *d)
{
    const picture *p = d->picture;
    double low[2] = {p->words[0].x, p->words[0].y}, high[2] = {low[0], low[1]};
    for (size_t i = 0; i < p->count; i++) {
        const double at[2] = {p->words[i].x, p->words[i].y};
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], at[a]);
            high[a] = fmax(high[a], at[a]);
        }
    }
    const double larger = fmin(fmax(sqrt((double)p->count / ROOMY), 1.0), LARGEST);
    d->wide = PLOT_WIDE * larger;
    d->high = PLOT_HIGH * larger;
    d->middle[0] = 0.5 * low[0] + 0.5 * high[0];
    d->middle[1] = 0.5 * low[1] + 0.5 * high[1];
    const double x = (d->wide - 2.0 * INSIDE) / (high[0] - low[0]);
    const double y = (d->high - 2.0 * INSIDE) / (high[1] - low[1]);
    d->scale = fmin(x, y); /* all in one place: infinite */
    d->scale = isfinite(d->scale) ? d->scale : 1.0;
}

/* A step of 1, 2 or 5 times a power of ten that gives about six ticks. */
static double tick_step(double span)
{
    const double rough = span / 6.0, power = pow(10.0, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

static void tick(drawing *d, int axis, double value, double step)
{
    const bool across = axis == 0;
    const double at = across ? sheet_x(d, value) : sheet_y(d, value);
    const double from = across ? ABOVE + d->high : LEFT;
    say_pair(d, "<path d=\"M", across ? at : from, " ", across ? from : at,
             across ? "v5\" stroke=\"" GREY "\"/>" : "h-5\" stroke=\"" GREY "\"/>");
    say_pair(d, "<text x=\"", across ? at : from - 8.0, "\" y=\"", across ? from + 18.0 : at + 4.0,
             "\"");
    say(d, across ? " text-anchor=\"middle\">" : " text-anchor=\"end\">");
    d->ok = d->ok && markup_number(d->out, fabs(value) < 0.5 * step ? 0.0 : value);
    say(d, "</text>\n");
}

static void axis(drawing *d, int a)
{
    static const char *const names[] = {"first", "second"};
    const double half = 0.5 * (a ? d->high : d->wide) / d->scale;
    const double low = d->middle[a] - half, high = d->middle[a] + half;
    const double step = tick_step(high - low);
    for (double i = ceil(low / step); i * step <= high; i += 1.0) {
        tick(d, a, i * step, step);
    }
    char share[RENDER_DURATION];
    say_pair(d, a ? "<text transform=\"translate(" : "<text x=\"", a ? 16.0 : LEFT + 0.5 * d->wide,
             a ? " " : "\" y=\"", a ? ABOVE + 0.5 * d->high : ABOVE + d->high + 38.0,
             a ? ") rotate(-90)\"" : "\"");
    say(d, " text-anchor=\"middle\">");
    say(d, names[a]);
    say(d, " principal axis: ");
    say(d, render_share(d->picture->share[a], share));
    say(d, " of the variance</text>\n");
}

static void frame(drawing *d)
{
    say_pair(d, "<rect x=\"", LEFT, "\" y=\"", ABOVE, "\"");
    say_pair(d, " width=\"", d->wide, "\" height=\"", d->high, "\"");
    say(d, " fill=\"none\" stroke=\"" GREY "\" stroke-opacity=\"0.5\"/>\n");
    say(d, "<g class=\"soft\" fill=\"" GREY "\" font-size=\"11\">\n");
    if (d->picture->axes) {
        axis(d, 0);
        axis(d, 1);
    } else {
        say_pair(d, "<text x=\"", LEFT, "\" y=\"", ABOVE + d->high + 20.0, "\"");
        say(d, ">t-SNE keeps near words near; its axes, and how far apart or how large groups are, "
               "mean nothing</text>\n");
    }
    say(d, "</g>\n");
}

/* ---------------------------------------------------------- points and labels */

/* A group has a shape as well as a colour: 7 colours and 4 shapes make 28 that differ. Yellow and
   sky blue are too pale for white paper, so that marks have an outline. */
static void mark(drawing *d, size_t group, double x, double y)
{
    static const char *const shapes[] = {"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
                                         "m-3.6-3.6h7.2v7.2h-7.2z", "m0-5l4.6 8h-9.2z",
                                         "m0-5l5 5-5 5-5-5z"};
    const bool grouped = group != PICTURE_NO_GROUP;
    say_pair(d, "<path d=\"M", x, " ", y, "");
    say(d, shapes[grouped ? group % 4 : 0]);
    say(d, "\" fill=\"");
    say(d, picture_colour(grouped ? group : 0));
    say(d, "\" class=\"mark\"/>");
}

static void leader(drawing *d, const label *l)
{
    const double x = fmin(fmax(l->x, l->left), l->left + l->width);
    const double y = fmin(fmax(l->y, l->top), l->top + LINE);
    say_pair(d, "<path d=\"M", l->x, " ", l->y, "");
    say_pair(d, "L", x, " ", y, "\"");
    say(d, " stroke=\"" GREY "\" stroke-width=\"0.7\"/>");
}

static void word(drawing *d, size_t i)
{
    const picture_word *w = &d->picture->words[i];
    const label *l = &d->labels[i];
    say(d, "<g><title>");
    say_bytes(d, w->word, w->length);
    if (w->group != PICTURE_NO_GROUP) {
        say(d, " (");
        say_bytes(d, d->picture->groups[w->group].name, d->picture->groups[w->group].length);
        say(d, ")");
    }
    say(d, "</title>");
    if (l->placed && l->away) {
        leader(d, l);
    }
    mark(d, w->group, l->x, l->y);
    if (l->placed) {
        say_pair(d, "<text x=\"", l->left + l->anchor * l->width, "\" y=\"", l->top + 11.0, "\"");
        say(d, l->anchor < 0.5   ? ">"
               : l->anchor > 0.5 ? " text-anchor=\"end\">"
                                 : " text-anchor=\"middle\">");
        say_bytes(d, w->word, w->length);
        say(d, "</text>");
    }
    say(d, "</g>\n");
}

/* Columns of a word as it is shown; 0 when it is too long for a label. */
static double text_width(const picture_word *w, bool *ok)
{
    buf shown = {0};
    *ok = *ok && render_escape(&shown, w->word, w->length);
    const size_t columns = *ok && shown.size ? utf8_width(shown.data, shown.size) : 0;
    buf_clear(&shown);
    return columns > LABEL_COLUMNS ? 0.0 : (double)columns * COLUMN * FONT;
}

static void words(drawing *d)
{
    const picture *p = d->picture;
    for (size_t i = 0; i < p->count; i++) {
        label *l = &d->labels[i];
        l->x = sheet_x(d, p->words[i].x) - LEFT;
        l->y = sheet_y(d, p->words[i].y) - ABOVE;
        l->width = text_width(&p->words[i], &d->ok);
    }
    d->ok = d->ok && labels_place(d->labels, p->count, LINE, d->wide, d->high);
    say(d, "<g class=\"ink\" fill=\"" INK "\" font-size=\"12\">\n");
    for (size_t i = 0; i < p->count; i++) {
        label *l = &d->labels[i];
        l->x += LEFT;
        l->left += LEFT;
        l->y += ABOVE;
        l->top += ABOVE;
        word(d, i);
    }
    say(d, "</g>\n");
}

/* Marks and names of the groups, in lines as wide as the plot; `draw`, or only to know how high. */
static void legend(drawing *d, bool draw)
{
    double x = LEFT, y = d->high + ABOVE + BELOW;
    for (size_t g = 0; g < d->picture->group_count; g++) {
        const picture_group *group = &d->picture->groups[g];
        const picture_word name = {.word = group->name, .length = group->length};
        const double wide = 34.0 + text_width(&name, &d->ok);
        if (x > LEFT && x + wide > LEFT + d->wide) {
            x = LEFT;
            y += LEGEND_LINE;
        }
        if (draw) {
            mark(d, g, x + 5.0, y - 4.0);
            say_pair(d, "<text x=\"", x + 15.0, "\" y=\"", y, "\">");
            say_bytes(d, group->name, group->length);
            say(d, "</text>\n");
        }
        x += wide;
    }
    d->legend = d->picture->group_count ? y - d->high - ABOVE - BELOW + LEGEND_LINE : 0.0;
}

/* ------------------------------------------------------------------ the sheet */

static void head(drawing *d)
{
    const picture *p = d->picture;
    const char *method = p->axes ? "principal components" : "t-SNE";
    say_pair(d, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", LEFT + d->wide + RIGHT,
             " ", ABOVE + d->high + BELOW + d->legend, "\"");
    say(d, " role=\"img\" aria-labelledby=\"title desc\" font-family=\"sans-serif\">\n"
           "<title id=\"title\">");
    d->ok = d->ok && buf_printf(d->out, "Map of %zu word%s (%s)</title>\n<desc id=\"desc\">",
                                p->count, p->count == 1 ? "" : "s", method);
    say(d, "Words near each other have similar vectors, as far as a plane can show.");
    for (size_t g = 0; g < p->group_count; g++) {
        say(d, g ? ", " : " Groups: ");
        say_bytes(d, p->groups[g].name, p->groups[g].length);
    }
    say(d, p->group_count ? ".</desc>\n" : "</desc>\n");
    say(d, "<style>@media (prefers-color-scheme: dark) { .paper { fill: #16181c } "
           ".ink { fill: #ececec } .soft { fill: #a0a0a0 } }\n"
           ".mark { stroke: " GREY "; stroke-width: 0.8 }</style>\n"
           "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    say_pair(d, "<text class=\"ink\" x=\"", LEFT, "\" y=\"", 30.0, "\"");
    d->ok =
        d->ok && buf_printf(d->out, " font-size=\"16\" fill=\"" INK "\">%zu word%s, %s</text>\n",
                            p->count, p->count == 1 ? "" : "s", method);
}

bool picture_svg(const picture *p, buf *out)
{
    drawing d = {.picture = p, .out = out, .ok = true};
    d.labels = mem_calloc(p->count ? p->count : 1, sizeof *d.labels);
    if (!d.labels || p->count == 0) {
        mem_free(d.labels);
        return false;
    }
    measure(&d);
    legend(&d, false);
    head(&d);
    frame(&d);
    words(&d);
    say(&d, "<g class=\"ink\" fill=\"" INK "\" font-size=\"12\">\n");
    legend(&d, true);
    say(&d, "</g>\n</svg>\n");
    mem_free(d.labels);
    return d.ok;
}
