/**
 * @file course.c
 * The whole course: a line a lab, below the first lab that it needs. Reads `title` and `needs` of every lab.yaml, from
 * the kit's root; ./grade shows the same (grader/course/map.c).
 */
#include <glob.h>
#include <string.h>

#include "svg.h"

#define MAX_LABS 30
#define ROW 34
#define STEP 54
#define LEFT 24
#define TOP 34

struct lab {
    char name[6], title[64], needs[64]; /**< "lab03", and "lab02, lab00" */
};

static struct lab course[MAX_LABS];
static int count, rows;
static int row_of[MAX_LABS];

static void read_lab(const char *path)
{
    struct lab *l = &course[count++];
    char line[1000];
    FILE *f = fopen(path, "r");
    snprintf(l->name, sizeof l->name, "%.5s", path + strlen("labs/"));
    while (f && fgets(line, sizeof line, f)) {
        sscanf(line, "title: %63[^\n]", l->title);
        sscanf(line, "needs: [%63[^]\n]", l->needs);
    }
    if (f)
        fclose(f);
}

/** The first lab that this one needs; -1: none. */
static int parent_of(int lab)
{
    for (int i = 0; i < lab; i++)
        if (!strncmp(course[lab].needs, course[i].name, 5))
            return i;
    return -1;
}

static void draw_below(int parent, int depth)
{
    for (int i = parent + 1; i < count; i++) {
        if (parent_of(i) != parent)
            continue;
        int x = LEFT + STEP * depth, y = TOP + ROW * rows;
        row_of[i] = rows++;
        if (parent >= 0) {
            int bend = x - STEP + 22;
            svg_line(bend, TOP + ROW * row_of[parent] + 8, bend, y - 6, GREY);
            svg_arrow(bend, y - 6, x - 4, y - 6, GREY);
        }
        svg_text(x, y, "start", BLUE, "%s", course[i].name);
        const char *others = strchr(course[i].needs, ',');
        svg_text(x + 62, y, "start", BLACK, others ? "%s (and%s)" : "%s", course[i].title,
                 others ? others + 1 : "");
        draw_below(i, depth + 1);
    }
}

int main(void)
{
    glob_t found;
    if (glob("labs/lab*_*/lab.yaml", 0, NULL, &found))
        return 1;
    for (size_t i = 0; i < found.gl_pathc && i < MAX_LABS; i++)
        read_lab(found.gl_pathv[i]);
    svg_begin(TOP + ROW * count, "The course: each lab below the one that it needs");
    draw_below(-1, 0);
    svg_end();
    globfree(&found);
}
