#!/usr/bin/env python3
"""Holds every place that repeats what a query, a contact file or a scenario takes and answers to the one list of it, facts.json.

    facts.py TOOL

Reads the headers of C++ and C, the Python binding and its stub, the answers and messages of the tool, the schemas, the columns
of tables, the labels of the viewer, and the pages that list fields, options, laws and keys.
"""

import ast
import json
import re
import sys

from file_facts import Tool, wrong_laws, wrong_scenario
from names import help_of
from sources import cpp_default, cpp_members, read

SUPERSCRIPTS = str.maketrans("²³⁵", "235")
UNIT = r"\[(m(?:\^?[2-5²³⁵])?)\]"


def unit_of(text):
    """The unit in brackets of a sentence, as "m^3"; None where it has none."""
    found = re.search(UNIT, text or "")
    return plain(found[1]) if found else None


def plain(unit):
    return re.sub(r"^m\^?(\d)$", r"m^\1", unit.translate(SUPERSCRIPTS))


def c_members(struct):
    """Name → documentation of a struct of the C header."""
    body = re.search(rf"(?ms)^typedef struct {struct} {{\n(.*?)^}} ", read("libvolcontact/include/volcontact/c_api.h"))[1]
    found = {}
    for declared, comment in re.findall(r"(?m)^  \w+ ([^;]+);(.*)$", body):
        for name in declared.split(","):
            found[re.match(r"\w+", name.strip())[0]] = comment
    return found


def python_fields():
    """Name → docstring, of the binding."""
    text = read("libvolcontact/python/src/metrics_array.cc")
    text = re.search(r"(?ms)MetricsFields\(\) {(.*?)^}", text)[1]
    found = re.findall(r'\{(?:VC_FIELD\((\w+),.*?\)|"(\w+)",.*?\{\}),\s*((?:"[^"]*"\s*)+)\}', text, re.S)
    return {member or name: "".join(re.findall(r'"([^"]*)"', doc)) for member, name, doc in found}


def stub_docs(path, owner):
    """Name → docstring of the properties of a class in a stub, in one line."""
    for node in ast.parse(read(path)).body:
        if isinstance(node, ast.ClassDef) and node.name == owner:
            return {each.name: " ".join((ast.get_docstring(each) or "").split())
                    for each in node.body if isinstance(each, ast.FunctionDef)}
    raise SystemExit(f"{path} has no class {owner}")


def stub_defaults():
    """Keyword → default of Pair.query in the stub; None where it leaves it open."""
    for node in ast.walk(ast.parse(read("libvolcontact/python/volcontact/_core.pyi"))):
        if isinstance(node, ast.FunctionDef) and node.name == "query":
            defaults = zip(node.args.kwonlyargs, node.args.kw_defaults)
            return {arg.arg: None if isinstance(value, ast.Constant) and value.value is ... else ast.literal_eval(value)
                    for arg, value in defaults}
    raise SystemExit("the stub has no query")


def csv_columns():
    """Name → unit of the columns of metrics."""
    text = re.search(r"(?ms)^const std::vector<AnswerColumn>& MetricsColumns.*?^}", read(
        "libvolcontact/src/io/contacts/answer_columns.cc"))[0]
    found = {name: unit for name, unit in re.findall(r'\.Add(?:Vector)?\("(\w+)"(?:, "([^"]*)")?\)', text)}
    return {**found, "volume": "m^3", "volume_low": "m^3", "volume_high": "m^3", "volume_error": "m^3", "centroid": "m",
            "inertia": "m^5"} if ".AddVolume()" in text else found


def viewer_units():
    known = re.search(r"(?ms)^const KNOWN = {(.*?)^};", read("tools/view/src/metrics.js"))[1]
    return {name: plain(unit) for name, unit in re.findall(r"(?m)^  (\w+): \['[^']*', '([^']*)'\]", known)}


def entries(page, heading):
    """Name → what is said of it in a row of a table or an item of a list, under a heading."""
    section = re.search(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", read(page))[1]
    rows = re.findall(r"(?m)^\| (`[^|]+) \|(.*)$", section)
    items = re.findall(r"(?m)^- (`[^:\n]+): (.*(?:\n  .*)*)", section)
    return {name: rest for names, rest in rows + items for name in re.findall(r"`(\w+)`", names)}


def places_of_metrics():
    """Place → (name → unit; None: not stated there)."""
    def units(docs):
        return {name: unit_of(text) for name, text in docs.items()}

    schema = json.loads(read("data/schema/answers.schema.json"))["$defs"]["query"]["properties"]
    members = {**cpp_members("overlap/metrics.h", "VolumeMetrics"), **cpp_members("overlap/metrics.h", "Metrics")}
    return {
        "c++": units({name: doc for name, (_, doc) in members.items()}),
        "c": units(c_members("vc_metrics")),
        "python": units(python_fields()),
        "json": units({name: of.get("description", "") for name, of in schema.items()}),
        "csv": csv_columns(),
        "viewer": viewer_units(),
        "cli.md": units(entries("docs/cli.md", "Answer of `query --json`")),
        "python.md": dict.fromkeys(entries("docs/python.md", "Queries")),
    }


def wrong_metrics(facts):
    for place, known in places_of_metrics().items():
        for fact in facts:
            names = fact.get("names", {}).get(place, [fact["name"] + ("_W" if place == "c++" and "frame" in fact else "")])
            for name in names:
                if place in fact.get("missing", {}):
                    if name in known:
                        yield f"{place} has {name}, which facts.json calls missing there"
                elif name not in known:
                    yield f"{place} has no {name}"
                elif None not in (known[name], fact["unit"]) and known[name] != fact["unit"]:
                    yield f"{place} gives {name} the unit \"{known[name]}\", not \"{fact['unit']}\""


def wrong_stub():
    stub = stub_docs("libvolcontact/python/volcontact/_core.pyi", "Metrics")
    for name, text in python_fields().items():
        if name not in stub:
            yield f"_core.pyi: Metrics has no {name}"
        elif stub[name] != " ".join(text.split()):
            yield f"_core.pyi: Metrics.{name} says \"{stub[name]}\", the binding \"{text}\""


def wrong_options(tool, facts):
    members = cpp_members("overlap/options.h", "QueryOptions")
    c, python = c_members("vc_options"), stub_defaults()
    help_text = help_of(tool, "query")
    known = {name.removesuffix("_W") for name in members}
    for name in known - {fact["name"] for fact in facts}:
        yield f"facts.json has no option {name}"
    for fact in facts:
        name, names, missing = fact["name"], fact.get("names", {}), fact.get("missing", {})
        member = name + ("_W" if "frame" in fact else "")
        if member not in members:
            yield f"c++ has no option {member}"
        elif cpp_default(members[member][0]) != fact["default"]:
            yield f"c++: the default of {member} is {members[member][0]}, not {fact['default']}"
        if (name in c) == ("c" in missing):
            yield f"c: vc_options and facts.json do not agree on {name}"
        keyword = names.get("python", name)
        if keyword not in python:
            yield f"python: query has no {keyword}"
        elif python[keyword] not in (None, fact["default"]):
            yield f"python: the default of {keyword} is {python[keyword]}, not {fact['default']}"
        if ("cli" in names) == ("cli" in missing) or names.get("cli", "") not in help_text:
            yield f"cli: the tool and facts.json do not agree on {name}"
        if not re.search(rf"`{keyword}`", read("docs/python.md")):
            yield f"python.md says nothing of {keyword}"


def wrong_methods(tool):
    """Everything that lists the methods, held to the tool, which lists those of AllMethods."""
    methods = re.search(r"--method ([\w|]+)", help_of(tool, "query"))[1].split("|")
    table = re.search(r"(?ms)^### Methods\n(.*?)(?=^#)", read("docs/cli.md"))[1]
    if re.findall(r"(?m)^\| `(\w+)` \|", table) != methods:
        yield f"docs/cli.md does not list the methods {methods}"
    for place, enum in enums_with("columns", json.loads(read("data/schema/answers.schema.json"))):
        if set(enum) - {"auto"} != set(methods) - {"auto"}:
            yield f"answers.schema.json: {place} has the methods {enum}"


def enums_with(word, schema, place=""):
    """The lists of choices in a schema that have a word."""
    if isinstance(schema, dict):
        if word in schema.get("enum", []):
            yield place, schema["enum"]
        for name, part in schema.items():
            yield from enums_with(word, part, f"{place}/{name}")
    elif isinstance(schema, list):
        for part in schema:
            yield from enums_with(word, part, place)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    facts = json.loads(read("tests/docs/facts.json"))
    wrong = [*wrong_metrics(facts["metrics"]), *wrong_stub(), *wrong_options(sys.argv[1], facts["options"]),
             *wrong_methods(sys.argv[1]), *wrong_laws(Tool(sys.argv[1]), facts["laws"]),
             *wrong_scenario(Tool(sys.argv[1]), facts["scenario"])]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
