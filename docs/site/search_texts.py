"""The texts of all pages in one script, from which the search of a site that is opened as files takes its excerpts.

Browsers do not let a page read its neighbours on a disk.
"""

import html
import json
import pathlib
import re

MAIN = re.compile(r'(?s)<article role="main">(.*)</article>')
NOT_READ = re.compile(r"(?s)<(script|style|iframe)\b.*?</\1>|<a class=\"headerlink\".*?</a>")


def text_of(page):
    """What a reader sees of a page's main part, on one line."""
    main = MAIN.search(page)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", NOT_READ.sub(" ", main[1]))).split()) if main else ""


def write_search_texts(app, exception):
    if exception is not None:
        return
    folder = pathlib.Path(app.outdir)
    texts = {name: text_of((folder / f"{name}.html").read_text(encoding="utf-8")) for name in sorted(app.env.found_docs)}
    script = f"window.SEARCH_TEXTS = {json.dumps(texts, ensure_ascii=False)};\n"
    (folder / "_static" / "search_texts.js").write_text(script, encoding="utf-8")
