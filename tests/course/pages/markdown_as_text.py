"""Prints what a page of the site shows of its Markdown: markdown_as_text.py PAGE.html… Code is left out; pages made of sources have none."""
import html
import os
import re
import sys

SHOWN = re.compile(r".{0,40}(?:`|\*\*|(?<![\w )])\*[\"“]|[\"”]\*(?!\w)|\]\(|@ref|\\ref).{0,40}")

for page in sys.argv[1:]:
    with open(page, encoding="utf-8", errors="replace") as file:
        contents = re.search(r'<div class="contents">(.*)</div><!-- contents -->', file.read(), re.S)
    text = contents.group(1) if contents else ""
    text = re.sub(r'<div class="fragment">.*?</div><!-- fragment -->', "", text, flags=re.S)
    text = re.sub(r"<(pre|code|script|style)\b.*?</\1>", "", text, flags=re.S)
    for shown in SHOWN.findall(html.unescape(re.sub(r"<[^>]+>", "", text))):
        print("{}: {}".format(os.path.basename(page), shown.strip()))
