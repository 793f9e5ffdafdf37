#!/usr/bin/env python3
"""Writes docs/validation.md and its figures.

    tools/validation.py [--resume] [--note TEXT] [--only NAME]... [VOLCONTACT]
    tools/validation.py --figures [VOLCONTACT]

Runs `volcontact reproduce` (some ten minutes), and puts its report, one figure a scenario, and the
recomputed tables of the identification into docs/. With --resume it goes on where it was interrupted,
and keeps what had ended: not for a changed program. A note, of the machine, say, goes below the page's
first paragraph. With --only the sections and rows of these scenarios are made anew, or added, and the others stay.
With --figures only the figures are: of the first variant of each scenario, in two minutes.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = "build/release/tools/volcontact/volcontact"
RUN = ROOT / "build" / "validation"
FIGURES = ROOT / "docs" / "figures" / "validation"
LONGEST_LINE = 120  # of the documents, see CONTRIBUTING.md


def reproduce(tool, how, only):
    arguments = ["reproduce", "--scenarios", "data/scenarios", "--out", RUN, how]
    for name in only:
        arguments += ["--only", name]
    status = subprocess.run([tool, *arguments], cwd=ROOT, check=False).returncode
    if status not in (0, 1) or not (RUN / "report.md").exists():
        sys.exit("validation.py: reproduce failed")


def copy_figure(source, name):
    """Copies a picture with a palette, at a third of its size; as it is, where there is no Pillow."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    try:
        from PIL import Image
    except ImportError:
        shutil.copyfile(source, FIGURES / name)
        return
    with Image.open(source) as picture:
        # Median cuts would merge the colours of thin curves.
        few = picture.convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(FIGURES / name, optimize=True)


def with_figures(report):
    """The report with its pictures copied, named after their scenarios."""

    def copy(match):
        """An image that leads to the run's own page, which the documentation has not."""
        name = match[2].split("/")[0] + ".png"
        copy_figure(RUN / match[2], name)
        return f"![{match[1]}](figures/validation/{name})"

    return re.sub(r"\[!\[([^\]]*)\]\(([^)]*)\)\]\([^)]*\)", copy, report)


def wrapped(text):
    """The text with paragraphs and items of at most 120 characters a line; tables, headings and pictures stay."""
    lines = []
    for line in text.split("\n"):
        if len(line) <= LONGEST_LINE or re.match(r"[|#!]", line):
            lines.append(line)
            continue
        indent = re.match(r"(?:- )?", line)[0]
        lines += textwrap.wrap(line[len(indent):], LONGEST_LINE, initial_indent=indent, subsequent_indent=" " * len(indent),
                               break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def draw_figures(tool):
    for path in sorted((ROOT / "data" / "scenarios").glob("*.json")):
        variants = json.loads(path.read_text(encoding="utf-8")).get("variants") or [{"name": ""}]
        variant = variants[0]["name"]
        out = RUN / "figures" / path.stem
        command = [tool, "simulate", path, "--out", out, "--overwrite"] + (["--variant", variant] if variant else [])
        subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
        copy_figure(out / variant / "overview.png", f"{path.stem}.png")


def sections(page):
    """A page as what stands before the first scenario, the scenarios' sections by name, and what comes after."""
    parts = re.split(r"(?m)^(?=## )", page)
    named = {match[1]: part for part in parts[1:] if (match := re.match(r"## ([a-z]\w*): ", part))}
    after = "".join(part for part in parts[1:] if not re.match(r"## [a-z]\w*: ", part))
    return parts[0], named, after


def merged(page, report):
    """The page with the report's sections, and their rows of the table of all, in place of its own."""
    (head, old, after), (new_head, new, _) = sections(page), sections(report)
    rows = {match[1]: match[0] for text in (head, new_head) for match in re.finditer(r"(?m)^\| (\w+) \| \d.*\n", text)}
    table = "".join(rows[name] for name in sorted(rows))
    head = re.sub(r"(?ms)^(\|---.*?\n)(\| \w+ \| \d.*?\n)+", lambda match: match[1] + table, head)
    return head + "".join(text for _, text in sorted((old | new).items())) + after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--note", default="")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("tool", nargs="?", default=TOOL)
    arguments = parser.parse_args()
    if arguments.figures:
        draw_figures(arguments.tool)
        return
    reproduce(arguments.tool, "--resume" if arguments.resume else "--overwrite", arguments.only)
    text = wrapped(with_figures((RUN / "report.md").read_text()))
    page = ROOT / "docs" / "validation.md"
    if arguments.only:
        page.write_text(merged(page.read_text(), text.rstrip("\n") + "\n\n"))
        return
    if arguments.note:
        text = text.replace("\n\n|", f"\n\n{wrapped(arguments.note)}\n\n|", 1)
    identification = (ROOT / "docs" / "validation_identification.md").read_text()
    # Its headings go one level down.
    identification = re.sub(r"(?m)^#", "##", identification)
    page.write_text(text + "\n" + identification)


if __name__ == "__main__":
    main()
