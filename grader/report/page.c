/**
 * @file page.c
 * See page.h. Light and dark by the reader's own setting; one column from a phone's width up.
 */
#include "report/page.h"

#include <string.h>

static const char style_sheet[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--dim:#57606a;--page:#fff;--card:#f6f8fa;"
    "--line:#d0d7de;--good:#1a7f37;--bad:#b3261e;--warn:#8a5a00;--link:#0550ae;--first:#1f5fa8;"
    "--second:#a8450a;--third:#57606a;--track:#e4e8ee;--missed:#fdecea}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--dim:#9aa4b0;--page:#0d1117;"
    "--card:#161b22;--line:#30363d;--good:#3fb950;--bad:#ff7b72;--warn:#d8a33a;--link:#79b8ff;"
    "--first:#79b8ff;--second:#f0a36b;--third:#9aa4b0;--track:#262c36;--missed:#3a1d1c}}"
    "*{box-sizing:border-box}"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0;"
    "overflow-wrap:anywhere}"
    "main{max-width:62rem;margin:0 auto;padding:1.5rem 1rem 4rem}"
    "h1{font-size:1.6rem;line-height:1.25;margin:0 0 .2rem}"
    "h2{font-size:1.2rem;margin:2.2rem 0 .6rem;padding-bottom:.2rem;"
    "border-bottom:1px solid var(--line)}"
    "h3{font-size:1rem;margin:1.2rem 0 .3rem}p{margin:.5rem 0}a{color:var(--link)}"
    "code,pre,.src{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
    "font-size:.88em;unicode-bidi:isolate}"
    "pre{margin:.4rem 0;padding:.5rem .8rem;background:var(--card);border:1px solid var(--line);"
    "border-radius:6px;overflow-x:auto;overflow-wrap:normal}"
    "pre.command{user-select:all;white-space:pre-wrap;overflow-wrap:anywhere}"
    "pre.text{white-space:pre-wrap;overflow-wrap:anywhere}"
    ".dim{color:var(--dim)}.small{font-size:.88em}.num{text-align:right;white-space:nowrap}"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .7rem .3rem 0;"
    "border-bottom:1px solid var(--line);overflow-wrap:break-word}td code,td a{overflow-wrap:anywhere}"
    "th{font-weight:600}th.num,td.num{text-align:right}"
    "details{margin:.5rem 0}summary{cursor:pointer;color:var(--link)}"
    ".score{font-size:2rem;font-weight:700;line-height:1.2}"
    "td .bar{margin-top:.45rem}.bar{display:block;background:var(--track);border-radius:4px;height:.6rem;overflow:hidden}"
    ".bar i{display:block;height:100%;background:var(--good)}"
    ".next{border-left:4px solid var(--link);padding:.1rem .9rem;margin:.8rem 0}"
    /* cases */
    ".fold{margin:0}summary.case{color:inherit;list-style:none}"
    "summary.case::-webkit-details-marker{display:none}"
    "summary.case .name::before{content:\"\\25b8\\00a0\";color:var(--dim)}"
    ".fold[open]>summary.case .name::before{content:\"\\25be\\00a0\"}"
    ".case{display:flex;flex-wrap:wrap;gap:0 .8rem;align-items:baseline;padding:.35rem 0 .35rem "
    ".8rem;border-left:4px solid var(--line);margin:.25rem 0}"
    ".case>.name{flex:1 1 9rem}.case>.num{min-width:4rem}"
    ".state{font-weight:600;white-space:nowrap}"
    ".ok{border-color:var(--good)}.fail{border-color:var(--bad)}.unjudged{border-color:var(--warn)}"
    ".ok>.state{color:var(--good)}.fail>.state{color:var(--bad)}.unjudged>.state{color:var(--warn)}"
    ".inside{margin:.2rem 0 1.4rem;padding-left:calc(.8rem + 4px)}"
    /* findings */
    ".finding{margin:.7rem 0 1rem;padding:.7rem 1rem;background:var(--card);border-radius:8px;"
    "border:1px solid var(--line)}.finding>p:first-child{margin-top:0}"
    ".kind{font-weight:700;color:var(--bad)}.warning>p>.kind{color:var(--warn)}"
    ".access{border-left:4px solid var(--first);padding:.15rem 0 .15rem .8rem;margin:.5rem 0}"
    ".access.two{border-color:var(--second)}.access .src{display:block;white-space:pre-wrap}"
    ".try{margin:.8rem 0 .3rem}"
    /* the run: a column a thread, time running down */
    ".run{display:grid;gap:.45rem .9rem;margin:.6rem 0}"
    ".run.two{grid-template-columns:1fr 1fr}.run.three{grid-template-columns:1fr 1fr 1fr}"
    ".rail{border-left:2px dotted var(--line);margin-left:.9rem}"
    ".who{font-weight:700;border-bottom:3px solid}.c1{grid-column:1}.c2{grid-column:2}"
    ".c3{grid-column:3}.who.c1,.step.c1 .no{color:var(--first)}"
    ".who.c2,.step.c2 .no{color:var(--second)}.who.c3,.step.c3 .no{color:var(--third)}"
    ".step{background:var(--page);border:1px solid var(--line);border-left:4px solid;"
    "border-radius:4px;padding:.25rem .6rem}.step.c1{border-left-color:var(--first)}"
    ".step.c2{border-left-color:var(--second)}.step.c3{border-left-color:var(--third)}"
    ".step .src{display:block;white-space:pre-wrap}.no{font-weight:700;margin-right:.4rem}"
    ".step.marked{border-width:2px 2px 2px 4px}.step.missed{background:var(--missed)}"
    ".missed b{color:var(--bad)}.step .thread{display:none;font-weight:600}"
    ".step.named .thread{display:block}"
    "table.counters code{white-space:nowrap}.case>.num{margin-left:auto;text-align:right}"
    "img.timeline{display:block;width:100%;min-width:40rem;height:auto}"
    ".wide{overflow-x:auto}"
    "@media(max-width:40rem){main{padding:1rem .7rem 3rem}.finding{padding:.6rem .7rem}"
    ".inside{padding-left:0}.case>.time{display:none}"
    /* On a phone one column: the second thread's steps stand to the right, like a talk. */
    ".run.two,.run.three{display:block}.rail,.run>.who{display:none}"
    ".step{margin:.4rem 0}.step.c1{margin-right:1.6rem}.step.c2{margin-left:1.6rem}"
    ".step.c3{margin:.4rem .8rem}.step .thread{display:block}"
    "table.counters thead{display:none}table.counters,table.counters tbody{display:block}"
    "table.counters tr{display:grid;grid-template-columns:auto 1fr;"
    "border-bottom:1px solid var(--line)}table.counters td{border:0;padding-bottom:0}"
    "table.counters td:first-child,table.counters td:last-child{grid-column:1/-1}"
    "table.counters td.num{text-align:left}table.counters td+td.num::before{content:\"yours \";"
    "color:var(--dim);font-size:.8em}table.counters td.num+td.num::before{content:\"reference \"}}"
    "@media print{details{display:block}.finding{break-inside:avoid}}";

void page_begin(struct text *out, const char *title)
{
    text_puts(out, "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
                   "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
                   "<meta http-equiv=Content-Security-Policy content=\"default-src 'none';"
                   "style-src 'unsafe-inline';img-src data:\">\n");
    text_printf(out, "<style>%s</style>\n", style_sheet);
    page_element(out, "<title>", title, "</title>\n<main>\n");
}

void page_end(struct text *out)
{
    text_puts(out, "</main>\n</html>\n");
}

void page_escape(struct text *out, const char *s)
{
    for (; *s; s++) {
        const char *entity = *s == '&'    ? "&amp;"
                             : *s == '<'  ? "&lt;"
                             : *s == '>'  ? "&gt;"
                             : *s == '"'  ? "&quot;"
                             : *s == '\'' ? "&#39;"
                                          : NULL;
        if (entity)
            text_puts(out, entity);
        else
            text_add(out, s, 1);
    }
}

void page_url(struct text *out, const char *s)
{
    for (; *s; s++) {
        bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
                     (*s >= '0' && *s <= '9') || strchr("-._~", *s);
        if (plain)
            text_add(out, s, 1);
        else
            text_printf(out, "%%%02X", (unsigned char)*s);
    }
}

void page_element(struct text *out, const char *open, const char *content, const char *close)
{
    text_puts(out, open);
    page_escape(out, content);
    text_puts(out, close);
}

void page_bar(struct text *out, int earned, int points)
{
    text_printf(out, "<span class=bar><i style=\"width:%d%%\"></i></span>",
                points > 0 && earned > 0 ? 100 * earned / points : 0);
}

void page_hints(struct text *out, char *const *list, int count)
{
    for (int i = 0; i < count; i++) {
        text_printf(out, "<details><summary>%s</summary>", i ? "Next hint" : "Hint");
        page_element(out, "<p>", list[i], "</p>");
    }
    for (int i = 0; i < count; i++)
        text_puts(out, "</details>");
}

void page_command(struct text *out, const char *command)
{
    page_element(out, "<pre class=command>", command, "</pre>");
}
