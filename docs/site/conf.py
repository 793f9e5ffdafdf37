"""Sphinx's settings for the documentation site; tools/docs.sh runs it on what stage.py gathers."""

import os
import pathlib
import re
import sys

from docutils import nodes
from docutils.parsers.rst import Directive

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from search_texts import write_search_texts  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SITE = pathlib.Path(os.environ["VOLCONTACT_SITE"])  # what Doxygen and stage.py wrote

project = "volcontact"
author = "the volcontact developers"
copyright = "the volcontact developers; Apache-2.0"  # noqa: A001
VERSION_HEADER = ROOT / "libvolcontact" / "include" / "volcontact" / "version.h"
release = ".".join(re.findall(r"(?m)^#define VOLCONTACT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", VERSION_HEADER.read_text()))
version = release

extensions = ["myst_parser", "breathe", "sphinx_copybutton"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "dollarmath", "fieldlist"]
# Diagrams and what commands print are no text to paste.
copybutton_selector = "div.highlight:not(.highlight-text *) pre"
# The site carries MathJax with it, in one file with its fonts.
mathjax_path = "tex-svg-full.js"

breathe_projects = {"volcontact": str(SITE / "xml")}
breathe_default_project = "volcontact"
breathe_default_members = ("members",)
# "--json" keeps its two hyphens.
smartquotes_action = "qe"
# The mark of exported symbols is no part of a declaration.
cpp_id_attributes = ["VOLCONTACT_EXPORT", "VOLCONTACT_LOCAL"]
c_id_attributes = ["VC_EXPORT"]

html_theme = "furo"
html_title = f"volcontact {release}"
html_static_path = [str(SITE / "source" / "_static")]
# Pages with motion that docs/site/motion.py made, if it could: html/motion/<scenario>.html.
html_extra_path = [str(SITE / "extra")] if (SITE / "extra").exists() else []
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5394", "color-brand-content": "#0b5394"},
    "dark_css_variables": {"color-brand-primary": "#7fb3e6", "color-brand-content": "#7fb3e6"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"


class Mermaid(Directive):
    """A diagram that the reader's browser draws, by the script the site carries with it."""

    has_content = True

    def run(self):
        text = "\n".join(self.content)
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return [nodes.raw("", f'<pre class="mermaid">\n{escaped}\n</pre>\n', format="html")]


def add_scripts(app, pagename, templatename, context, doctree):
    """Only pages that need a script load it: that of diagrams is large."""
    for mark, script in (('class="mermaid"', "mermaid.min.js"), ('class="motion"', "motion.js")):
        if mark in context.get("body", ""):
            app.add_js_file(script)
    if pagename == "search":
        app.add_js_file("offline_search.js")


def hide_empty_contents(app, pagename, templatename, context, doctree):
    """Furo's script fails on contents that lead to no heading: those of a page that only lists others."""
    context["furo_hide_toc"] = context["furo_hide_toc"] or not re.search(r'href="#[^"]', context.get("toc", ""))


def setup(app):
    app.add_directive("mermaid", Mermaid)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", write_search_texts)
    app.connect("html-page-context", hide_empty_contents, priority=900)  # after Furo, which decides it first
