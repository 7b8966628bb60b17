/**
 * @file lines.c
 * The source lines of the client's program, for its calls in findings.
 *
 * The program is the student's, and with it its debug information: a process of its own reads that and
 * sends back a plain table. At worst the table is wrong about the program's own lines.
 */
#include "remote/server/lines.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/wire.h"
#include "host/call_site.h"

#define MAX_ROWS (1u << 20)
#define MAX_FILES 4096u
#define MAX_NAME 512u
#define READER_SECONDS 10
#define READER_BYTES (2ull << 30)

/** One row of the line table: the line of all addresses from here to the next row. */
struct row {
    uint64_t address;
    uint32_t line; /**< 0: none */
    uint32_t file;
};

static struct row *rows;
static uint32_t row_count, file_count;
static char (*files)[MAX_NAME];

/* ---- in the reader's process ---- */

/** Many lines in turn are of one file, whose name is at one address. */
static uint32_t file_number(const char *name)
{
    static const char *last;
    static uint32_t number;
    uint32_t i = 0;
    if (name == last)
        return number;
    while (i < file_count && strncmp(files[i], name, MAX_NAME - 1))
        i++;
    if (i == file_count && file_count < MAX_FILES) {
        strncpy(files[i], name, MAX_NAME - 1);
        file_count++;
    }
    last = name;
    return number = i < file_count ? i : 0;
}

/** Of rows that say the same one behind the other the first will do. Where several are at one address, `next` has it, too, their order is not known yet. */
static void add_row(const struct row *row, uint32_t first, Dwarf_Line *next)
{
    const struct row *last = row_count > first ? &rows[row_count - 1] : NULL;
    Dwarf_Addr address;
    bool again = next && dwarf_lineaddr(next, &address) == 0 && address == row->address;
    if (!last || again || row->line != last->line || row->file != last->file)
        rows[row_count++] = *row;
}

static void add_unit(Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count;
    const uint32_t first = row_count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    for (size_t i = 0; i < count && row_count < MAX_ROWS; i++) {
        Dwarf_Line *l = dwarf_onesrcline(lines, i);
        Dwarf_Addr address;
        int line = 0;
        bool end = true;
        const char *name = l ? dwarf_linesrc(l, NULL, NULL) : NULL;
        if (!name || dwarf_lineaddr(l, &address) != 0 || dwarf_lineno(l, &line) != 0)
            continue;
        dwarf_lineendsequence(l, &end);
        const struct row row = {address, end || line < 0 ? 0 : (uint32_t)line, file_number(name)};
        add_row(&row, first, i + 1 < count ? dwarf_onesrcline(lines, i + 1) : NULL);
    }
}

static int by_address(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->line != 0) - (y->line != 0); /* a sequence's end before the next one's start */
}

static _Noreturn void read_program(int program, int out)
{
    const struct rlimit cpu = {READER_SECONDS, READER_SECONDS}, memory = {READER_BYTES, READER_BYTES};
    setrlimit(RLIMIT_CPU, &cpu);
#ifndef __SANITIZE_ADDRESS__ /* which reserves more */
    setrlimit(RLIMIT_AS, &memory);
#else
    (void)memory;
#endif
    rows = calloc(MAX_ROWS, sizeof *rows);
    files = calloc(MAX_FILES, sizeof *files);
    Dwarf *d = rows && files ? dwarf_begin(program, DWARF_C_READ) : NULL;
    Dwarf_Off at = 0, next;
    size_t header;
    for (; d && dwarf_nextcu(d, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit;
        if (dwarf_offdie(d, at + header, &unit))
            add_unit(&unit);
    }
    if (row_count)
        qsort(rows, row_count, sizeof *rows, by_address);
    struct iovec parts[] = {{&row_count, sizeof row_count},
                            {&file_count, sizeof file_count},
                            {rows, row_count * sizeof *rows},
                            {files, file_count * sizeof *files}};
    wire_send(out, parts, 4, -1);
    _exit(0);
}

/* ---- in the server ---- */

static bool find(unsigned long address, struct call_site *out)
{
    uint64_t at = address - LINES_BASE;
    if (address < LINES_BASE || at >= LINES_BYTES)
        return false;
    uint32_t low = 0, high = row_count; /* rows[low] is the last row at or below `at`, if any */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (rows[middle].address <= at)
            low = middle;
        else
            high = middle;
    }
    if (!row_count || rows[low].address > at || !rows[low].line || rows[low].file >= file_count)
        return false;
    out->file = files[rows[low].file];
    out->line = (int)(rows[low].line & INT32_MAX);
    return true;
}

static bool receive_table(int in)
{
    uint32_t counts[2];
    if (!wire_receive(in, counts, sizeof counts, NULL) || counts[0] > MAX_ROWS ||
        counts[1] > MAX_FILES)
        return false;
    rows = calloc(counts[0] + 1, sizeof *rows);
    files = calloc(counts[1] + 1, sizeof *files);
    if (!rows || !files || !wire_receive(in, rows, counts[0] * sizeof *rows, NULL) ||
        !wire_receive(in, files, counts[1] * sizeof *files, NULL))
        return false;
    row_count = counts[0];
    file_count = counts[1];
    for (uint32_t i = 0; i < file_count; i++)
        files[i][MAX_NAME - 1] = 0;
    return true;
}

void lines_load(const char *path)
{
    int pair[2], program = open(path, O_RDONLY | O_CLOEXEC);
    if (program < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return;
    pid_t reader = fork();
    if (reader == 0) {
        close(pair[0]);
        read_program(program, pair[1]);
    }
    close(pair[1]);
    close(program);
    if (reader > 0 && receive_table(pair[0]))
        call_site_resolver(find);
    close(pair[0]);
    while (reader > 0 && waitpid(reader, NULL, 0) < 0 && errno == EINTR)
        ;
}
