/**
 * @file session.c
 * A session of the debugger on a terminal, as it was: commands and what the program said, long lines folded.
 */
#include <string.h>

#include "../svg.h"

#define COLUMNS 104
#define ROW 20
#define LETTER 8.43 /* of DejaVu Sans Mono at 14 */

static char rows[200][COLUMNS + 8];
static const char *colors[200];
static int count;

static const char *color_of(const char *row)
{
    if (!strncmp(row, "(softgpu)", 9))
        return "#ffd479";
    if (!strncmp(row, "Finding:", 8))
        return "#ff8f80";
    return "#dfe5ee";
}

/** Folds a line at spaces. */
static void add(const char *text)
{
    const char *color = color_of(text);
    int indent = 0;
    while (count < 200) {
        int n = (int)strlen(text), room = COLUMNS - indent, cut = n;
        if (n > room)
            for (cut = room; cut > room / 2 && text[cut] != ' ';)
                cut--;
        colors[count] = color;
        snprintf(rows[count++], sizeof rows[0], "%*s%.*s", indent, "", cut, text);
        if (cut == n)
            return;
        text += cut + (text[cut] == ' ');
        indent = 4;
    }
}

static void put(const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", stdout);
            break;
        case '&':
            fputs("&amp;", stdout);
            break;
        default:
            putchar(*text);
        }
}

int main(void)
{
    char line[2000];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        add(line);
    }
    int width = (int)(COLUMNS * LETTER) + 40, height = count * ROW + 60;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
           "font-family=\"DejaVu Sans Mono, Consolas, monospace\" font-size=\"14\">\n<title>A session of softgpu debug on lab 03's published "
           "guard</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#1d2430\"/>\n",
           width, height, width, height);
    for (int i = 0; i < 3; i++)
        printf("<circle cx=\"%d\" cy=\"18\" r=\"6\" fill=\"%s\"/>\n", 22 + 20 * i, (const char *[]){"#e5695e", "#e8b64c", "#6cbf6a"}[i]);
    for (int i = 0; i < count; i++) {
        printf("<text x=\"20\" y=\"%d\" fill=\"%s\" xml:space=\"preserve\">", 52 + i * ROW, colors[i]);
        put(rows[i]);
        puts("</text>");
    }
    puts("</svg>");
}
