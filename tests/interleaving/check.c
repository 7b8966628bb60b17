/**
 * @file check.c
 * Reads a findings file and says what is wrong with its interleavings; prints nothing if all is well.
 *
 *   check FILE SOURCE KIND LEVEL
 *
 * There must be one finding of that kind and level between the lines marked `// first` and `// second`
 * of one kernel of SOURCE; its interleaving ends with the second access, holds the first before it,
 * and tells the values that the finding tells.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
    wrong = 1;
}

static int number_of(const json_t *j, const char *key)
{
    return (int)json_integer_value(json_object_get(j, key));
}

static const char *word_of(const json_t *j, const char *key)
{
    const char *s = json_string_value(json_object_get(j, key));
    return s ? s : "";
}

/** The text of a line of the source, "" past its end. */
static const char *source_line(const char *path, int line)
{
    static char text[512];
    FILE *f = fopen(path, "r");
    text[0] = 0;
    for (int i = 0; f && i < line; i++)
        if (!fgets(text, sizeof text, f))
            text[0] = 0;
    if (f)
        fclose(f);
    return text;
}

static int same_step(const json_t *event, const json_t *access, const json_t *finding)
{
    return number_of(event, "line") == number_of(access, "line") &&
           json_equal(json_object_get(event, "object"), json_object_get(finding, "object")) &&
           number_of(event, "offset") == number_of(finding, "offset") &&
           json_equal(json_object_get(event, "block"), json_object_get(access, "block")) &&
           json_equal(json_object_get(event, "thread"), json_object_get(access, "thread"));
}

static void check_values(const json_t *event, const json_t *access, const char *which)
{
    static const char *const keys[] = {"value", "missed"};
    for (int i = 0; i < 2; i++)
        if (!json_equal(json_object_get(event, keys[i]), json_object_get(access, keys[i])) &&
            (json_object_get(event, keys[i]) || json_object_get(access, keys[i])))
            say("the %s access has another '%s' than its step", which, keys[i]);
}

static void check_interleaving(const json_t *finding)
{
    const json_t *steps = json_object_get(finding, "interleaving");
    const json_t *accesses = json_object_get(finding, "accesses"), *event;
    const json_t *first = json_array_get(accesses, 0), *second = json_array_get(accesses, 1);
    size_t n = json_array_size(steps), at;
    const json_t *found = NULL, *last = n ? json_array_get(steps, n - 1) : NULL;
    if (n < 2 || n > 24) {
        say("%zu steps", n);
        return;
    }
    json_array_foreach(steps, at, event)
        if (at + 1 < n && same_step(event, first, finding))
            found = event;
    if (!found)
        say("no step is the first access");
    else
        check_values(found, first, "first");
    if (!same_step(last, second, finding))
        say("the last step is not the second access");
    else
        check_values(last, second, "second");
}

int main(int argc, char **argv)
{
    int found = 0;
    char line[1 << 16];
    FILE *f = argc == 5 ? fopen(argv[1], "r") : NULL;
    if (!f)
        return 2;
    while (fgets(line, sizeof line, f)) {
        json_t *j = json_loads(line, 0, NULL);
        const json_t *accesses = json_object_get(j, "accesses");
        if (!j)
            say("not JSON: %s", line);
        if (strcmp(word_of(j, "kind"), argv[3]) != 0)
            continue;
        found++;
        if (strcmp(word_of(j, "level"), argv[4]) != 0)
            say("level %s", word_of(j, "level"));
        int a = number_of(json_array_get(accesses, 0), "line");
        int b = number_of(json_array_get(accesses, 1), "line");
        if (!strstr(source_line(argv[2], a < b ? a : b), "// first") ||
            !strstr(source_line(argv[2], a < b ? b : a), "// second"))
            say("lines %d and %d", a, b);
        check_interleaving(j);
        json_decref(j);
    }
    fclose(f);
    if (found != 1)
        say("%d findings of kind %s", found, argv[3]);
    return wrong;
}
