#!/usr/bin/env python3
"""Holds the documentation to what it says.

    pages.py TOOL MEASURE_PAIRS

Every C++ block of README.md and docs/ stands in a program of docs/examples, which the test of the installed package
builds and runs. Every command of them that runs the tool with files of the project
runs as written, answers that stand behind a command are the tool's, every solid in JSON is one, every link leads
somewhere, lines are short and words plain, and the table of docs/results.md says what the library answers today.
"""

import json
import math
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("**/*.md"))]
TOOL = re.compile(r"^    (?:build/release/tools/volcontact/)?volcontact (.*)$", re.M)
# Of minutes, or with files that a reader is to have.
NOT_RUN = re.compile(r"simulate|reproduce|\b(run|measured|part|solid|a|b)\.(json|csv|stl|csg)|[A-Z]{2,}|…|\[")


def blocks(text, language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", text)


def stripped(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def is_within(block, program):
    """Whether the program has the block's lines together; a line "// …" of the block stands for any others."""
    whole, at = stripped(program), 0
    for part in re.split(r"(?m)^\s*// …$", block):
        lines = stripped(part)
        at = next((i + len(lines) for i in range(at, len(whole)) if whole[i : i + len(lines)] == lines), None)
        if at is None:
            return False
    return True


def wrong_cpp(text):
    examples = [path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "examples").glob("*.cc")]
    for block in blocks(text, "cpp"):
        if not any(is_within(block, example) for example in examples):
            yield f"a C++ block that no program of docs/examples holds: {block.splitlines()[0]} …"


def commands(text):
    """Commands as a shell would see them: lines that end with a backslash go on."""
    for match in TOOL.finditer(re.sub(r"\\\n\s*", "", text)):
        if not NOT_RUN.search(match[1]):
            yield shlex.split(match[1], comments=True)


def wrong_commands(tool, text):
    has_view = "not in this build" not in subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    for arguments in commands(text):
        if arguments[0] == "view" and not has_view:
            continue
        with tempfile.TemporaryDirectory() as folder:
            # What is written goes elsewhere; what is read lies in the project.
            for i, word in enumerate(arguments[1:], 1):
                if arguments[i - 1] == "--out":
                    arguments[i] = str(pathlib.Path(folder) / word)
            run = subprocess.run([tool, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        if run.returncode != 0:
            yield f"volcontact {' '.join(arguments)}: exit status {run.returncode}: {run.stderr.strip()}"


def wrong_solids(tool, page, text):
    if page.name not in ("README.md", "solid_files.md"):
        return
    for block in blocks(text, "json"):
        with tempfile.NamedTemporaryFile("w", suffix=".json", dir=ROOT / "data" / "solids") as file:
            file.write(block)
            file.flush()
            run = subprocess.run([tool, "mass", file.name], capture_output=True, text=True, timeout=120, check=False)
        if run.returncode != 0:
            yield f"a solid that is none: {run.stderr.strip()}"


def anchors(text):
    """The names of a page's headings, as they are made from their words."""
    names = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```", "", text)):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        names.add(words.replace(" ", "-"))
    return names


def wrong_links(page, text):
    pictures = [(source, "") for source in re.findall(r'<img src="([^"]*)"', text)]
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text) + pictures:
        if "://" in target:
            continue
        path = (page.parent / target).resolve() if target else page
        if not path.exists():
            yield f"a link to {target}, which is not there"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
            yield f"a link to {target}#{anchor}, which is not a heading there"


LONGEST_LINE = 120
# Words that a reader of the field does not know, of the table in CONTRIBUTING.md, which alone may have them.
PRIVATE_WORDS = re.compile(
    r"hangs? together|all but (?:touch|coincide)|not to be had|stands? askew|little is seen"
    r"|\bnames? what is no\b|is all rounding|a solid that is none|goes? on without end|lines tell|\bshadow of\b|is told\b")


def unwrapped_lines(text):
    """Long lines of prose: code, tables, headings, pictures and formulas cannot be wrapped."""
    prose = re.sub(r"(?ms)^```.*?^```|^\$\$.*?\$\$", lambda block: "\n" * block[0].count("\n"), text)
    for number, line in enumerate(prose.splitlines(), 1):
        if len(line) > LONGEST_LINE and not re.match(r"\s*[|#<!]|    ", line):
            yield number


def wrong_words(page, text):
    for number in unwrapped_lines(text):
        yield f"line {number} is longer than {LONGEST_LINE} characters"
    if page.name != "CONTRIBUTING.md":
        for word in PRIVATE_WORDS.findall(" ".join(text.split())):
            yield f'"{word}", which CONTRIBUTING.md (plain words) says in other words'


def wrong_comments():
    """Private words in the comments of the library, whatever their lines are broken at."""
    for source in sorted((ROOT / "libvolcontact").glob("**/*")):
        if source.suffix in (".h", ".cc", ".py", ".pyi"):
            text = " ".join(re.sub(r"(?m)^\s*//+", "", source.read_text(encoding="utf-8")).split())
            for word in PRIVATE_WORDS.findall(text):
                yield f'{source.relative_to(ROOT)}: "{word}", which CONTRIBUTING.md (plain words) says in other words'


def wrong_results(program, text):
    """Differences between the table of docs/results.md and what is answered: all but the times."""
    table = re.search(r"(?ms)^<!-- quickstart table -->$(.*)^<!-- end of quickstart table -->$", text)[1]
    shown = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in table.splitlines() if "e-" in line]
    run = subprocess.run([sys.executable, ROOT / "tools" / "quickstart_table.py", program, "--rows"], capture_output=True,
                         text=True, timeout=300, check=False)
    if run.returncode != 0:
        yield f"tools/quickstart_table.py: {run.stderr.strip()}"
        return
    answers = {row[0]: row for row in json.loads(run.stdout)}
    if {row[0] for row in shown} != set(answers):
        yield "docs/results.md has other pairs than data/quickstart.json"
    for row in shown:
        answer = answers.get(row[0])
        # Sums may round in other ways where another processor is.
        if answer and (row[1] != answer[1] or abs(float(row[2]) / float(answer[2]) - 1) > 1e-10 or row[3] != answer[3]):
            yield f"docs/results.md says {row}, the library {answer}: run tools/quickstart_table.py PROGRAM --page"


# What pages say is there: a query of files of the project, and a field of its answer that is neither null nor empty.
ANSWERS = [
    # A torus has a Hessian, beside planes and curved solids (docs/cli.md, docs/engines.md, docs/simulation.md).
    ("data/solids/plane.json --pose-a 0,0,0.0049,1,0,0,0 --hessian", "hessian"),
    ("data/solids/sphere.json --pose-a 0.03,0.001,0.04,0.8,0.6,0,0 --hessian", "hessian"),
    # Patches of a mesh beside a curved solid (docs/cli.md).
    ("data/meshes/plate.obj --pose-a 0.03,0.001,0,0.8,0.6,0,0 --patches", "patches"),
]


def wrong_answers(tool):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as torus:
        torus.write('{"torus": {"major_radius": 0.02, "minor_radius": 0.005}}')
        torus.flush()
        for arguments, field in ANSWERS:
            run = subprocess.run([tool, "query", torus.name, *arguments.split(), "--json"], cwd=ROOT, capture_output=True,
                                 text=True, timeout=120, check=False)
            if run.returncode != 0 or not json.loads(run.stdout)[field]:
                yield f"no {field} of a torus and {arguments}: {run.stderr.strip()}"


# Numbers and words of an answer, as a page shows them behind a command.
MEMBER = re.compile(r'"(\w+)":("[^"]*"|true|false|[-+.\de]+|\[[-+.\de,]*\])')


def is_near(shown, answer):
    """Sums may round in other ways where another processor is."""
    if isinstance(shown, list):
        scale = max(abs(x) for x in shown) if shown else 0.0
        return len(shown) == len(answer) and all(abs(x - y) <= 1e-9 * scale for x, y in zip(shown, answer))
    if isinstance(shown, float):
        return abs(shown - answer) <= 1e-9 * abs(shown)
    return shown == answer


def wrong_outputs(tool, text):
    """Answers in JSON that a page shows right behind the command."""
    for command, shown in re.findall(r"(?ms)((?:^    \S[^\n]*\n(?:^      [^\n]*\n)*)+)\n```text\n(\{.*?)^```", text):
        for arguments in commands(command):
            run = subprocess.run([tool, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
            answer = json.loads(run.stdout)
            for key, value in MEMBER.findall(shown):
                if key not in answer or not is_near(json.loads(value), answer[key]):
                    yield f"{key} of `{' '.join(arguments)}` is {answer.get(key)}, and not {value}"


def near_words(shown, answer):
    """Whether two lines have the same words, and numbers that agree but for roundings."""
    pairs = list(zip(shown.split(), answer.split()))
    if len(shown.split()) != len(answer.split()):
        return False
    for word, other in pairs:
        try:
            if not math.isclose(float(word), float(other), rel_tol=1e-6, abs_tol=1e-12):
                return False
        except ValueError:
            if word != other:
                return False
    return True


def wrong_texts(tool, text):
    """Lines of text that a page shows right behind the command; a line "…" stands for any others."""
    for command, shown in re.findall(r"(?ms)((?:^    \S[^\n]*\n(?:^      [^\n]*\n)*)+)\n```text\n([^{].*?)^```", text):
        for arguments in commands(command):
            run = subprocess.run([tool, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
            answers = run.stdout.splitlines()
            for line in shown.splitlines():
                if line.strip() != "…" and not any(near_words(line, answer) for answer in answers):
                    yield f"`{' '.join(arguments)}` does not print: {line}"


# The pages that a reader goes through one after the other, each of which leads to the next.
WAY = ["install", "tutorial*", "how-to/*", "choosing", "coming-from", "glossary", "faq", "bring-your-part", "python", "cli",
       "solid_files", "contact*", "parameters", "identification", "simulation", "scenarios", "mechanisms", "stepping",
       "engines", "sweep*", "view*", "results", "known-limits"]


def wrong_ends():
    for name in WAY:
        for page in sorted((ROOT / "docs").glob(f"{name}.md")):
            last = page.read_text(encoding="utf-8").rstrip().splitlines()[-1]
            if not re.fullmatch(r"Next: \[[^]]+\]\([^)]+\.md\)\.", last):
                yield f"{page.relative_to(ROOT)} does not end with the next page"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tool, measure_pairs = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    wrong = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in (wrong_cpp(text), wrong_commands(tool, text), wrong_outputs(tool, text), wrong_texts(tool, text), wrong_solids(tool, page, text),
                      wrong_links(page, text), wrong_words(page, text)):
            wrong += [f"{page.relative_to(ROOT)}: {what}" for what in found]
    wrong += [*wrong_answers(tool), *wrong_ends(), *wrong_comments()]
    wrong += wrong_results(measure_pairs, (ROOT / "docs" / "results.md").read_text(encoding="utf-8"))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
