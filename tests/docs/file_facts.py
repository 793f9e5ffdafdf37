"""Holds readers, schemas, headers and pages of contact files and scenarios to facts.json: laws, parameters and keys."""

import json
import pathlib
import re
import subprocess
import tempfile

from names import help_of
from sources import cpp_default, cpp_members, read


def laws_of(facts):
    """Every law with its parameters, those that it shares with another included."""
    by_name = {fact["law"]: fact for fact in facts}
    return [{**by_name[fact["same"]], **fact} if "same" in fact else fact for fact in facts]


UNKNOWN = "unknown_key_"
BODIES = [{"name": "b", "mass": 1, "inertia": [1, 1, 1], "joint": {"type": "pin"}}]
SCENARIO = {"bodies": BODIES, "end_time": 0.1}
# What is read before the keys of a place are.
BEFORE = {"bodies.0": BODIES[0], "bodies.0.joint": BODIES[0]["joint"], "motors.0": {"name": "m", "body": "b"},
          "sensors.0": {"name": "s"}, "contacts.0": {"name": "c", "a": "b", "b": "ground", "normal": {"stiffness": 1}}}


def document_with(document, at, members):
    """A copy of a document with members added at a place."""
    def filled(part, steps, done):
        if not steps:
            return {**part, **members}
        here = ".".join([*done, steps[0]])
        if steps[0] == "0":
            return [filled(BEFORE.get(here, {}), steps[1:], [*done, steps[0]])]
        inner = [] if steps[1:2] == ["0"] else BEFORE.get(here, {})
        return {**part, steps[0]: filled(inner, steps[1:], [*done, steps[0]])}

    return filled(document, at.split(".") if at else [], [])


class Tool:
    """The tool, asked for what it reads by what it says of a key that it does not know."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.simulates = re.search(r"(?m)^ +simulate ", help_of(self.path)) is not None

    def message(self, document, *command):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"a.json": {"sphere": {"radius": 1}}, "document.json": document}.items():
                pathlib.Path(folder, name).write_text(json.dumps(content), encoding="utf-8")
            return subprocess.run([self.path, *command], cwd=folder, capture_output=True, text=True, timeout=60,
                                  check=False).stderr

    def contact_message(self, document):
        return self.message(document, "force", "a.json", "a.json", "--params", "document.json")

    def scenario_message(self, document):
        return self.message(document, "simulate", "document.json", "--out", "run", "--no-plots")


def known_keys(message):
    found = re.search(rf'unknown key "{UNKNOWN}".*known keys: (.*)', message)
    return set(found[1].split(", ")) if found else message


def schema_keys(schema, at, members):
    """The keys that a schema has at a place, in all alternatives that allow some members."""
    def at_place(part, steps):
        if part.get("$ref", "").startswith("#/$defs/"):
            yield from at_place(schema["$defs"][part["$ref"].removeprefix("#/$defs/")], steps)
        for each in part.get("anyOf", []) + part.get("oneOf", []):
            yield from at_place(each, steps)
        if not steps and "properties" in part:
            yield part["properties"]
        elif steps and steps[0] == "0" and "items" in part:
            yield from at_place(part["items"], steps[1:])
        elif steps and steps[0] in part.get("properties", {}):
            yield from at_place(part["properties"][steps[0]], steps[1:])

    def allows(properties, key, value):
        of = properties.get(key, {})
        return value == of.get("const") or value in of.get("enum", [])

    found = [properties for properties in at_place(schema, at.split(".") if at else [])
             if all(allows(properties, key, value) for key, value in members.items())]
    return {key for properties in found for key in properties}, found


def wrong_keys(place, keys, fact_keys):
    if isinstance(keys, str):
        yield f"{place}: no list of keys, but: {keys.strip()}"
    elif keys != fact_keys:
        yield f"{place} differs from facts.json in {', '.join(sorted(keys ^ fact_keys))}"


def page_parameters():
    """(law, parameter) → (unit, default) of the tables of laws in docs/contact_files.md."""
    found = {}
    rows = re.findall(r"(?m)^\| (`[^|]+) \| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$", read("docs/contact_files.md"))
    for laws, keys, meaning, default in rows:
        for law in re.findall(r"`(\w+)`", laws):
            for key in re.findall(r"`(\w+)`", keys):
                found[law, key] = (" ".join(re.findall(r"\[([^]]*)\]", meaning)), default.strip("` "))
    return found


def power(unit):
    """A unit as facts.json writes it."""
    return re.sub(r"m([2-5])", r"m^\1", unit.translate(str.maketrans("²³⁴⁵", "2345"))).replace("N s", "N·s")


def wrong_parameters(law, parameter, page, schema):
    """The unit and the default of a parameter in the header, on the page and in the schema."""
    name, unit = parameter["name"], parameter["unit"]
    where = f"{law['law']}.{name}"
    page_unit, page_default = page.get((law["law"], name), ("", ""))
    if power(page_unit) != unit:
        yield f"contact_files.md gives {where} the unit \"{page_unit}\", not \"{unit}\""
    if "default" in parameter and page_default != str(parameter["default"]):
        yield f"contact_files.md gives {where} the default {page_default}, not {parameter['default']}"
    said = schema.get(name, {}).get("description", "")
    if "[" in said and power(re.search(r"\[([^]]*)\]", said)[1]) != unit:
        yield f"contact.schema.json says of {where}: {said}"
    if "c++" in parameter.get("missing", {}) or "struct" not in law:
        return
    struct, member = parameter.get("c++", f"{law['struct']}::{name}").split("::")
    header = "friction.h" if law["at"] == "friction" else "normal_force.h"
    default, documentation = cpp_members(f"forces/{header}", struct).get(member, ("", ""))
    if unit and unit not in re.split(r"[][\s,;]+", power(documentation)):
        yield f"c++: {struct}::{member} says \"{documentation.strip()}\", not the unit {unit}"
    expected = parameter.get("c++_default", parameter.get("default"))
    if expected is not None and cpp_default(default) != expected:
        yield f"c++: the default of {struct}::{member} is {default}, not {expected}"


def wrong_laws(tool, facts):
    """Contact laws and their parameters: as read, in the schema, in the headers and on their page."""
    schema = json.loads(read("data/schema/contact.schema.json"))
    page = page_parameters()
    laws = laws_of(facts)
    for at in ("normal", "friction"):
        message = tool.contact_message({"normal": {"stiffness": 1}, **{at: {"law": UNKNOWN}}})
        if set(message.split("choose one of ")[-1].strip().split(", ")) != {law["law"] for law in laws if law["at"] == at}:
            yield f"facts.json has other laws than the reader: {message.strip()}"
    for law in laws:
        keys = {"law"} | {parameter["name"] for parameter in law["parameters"]}
        member = {"law": law["law"]}
        message = tool.contact_message({"normal": {"stiffness": 1}, law["at"]: {**member, UNKNOWN: 1}})
        in_schema, properties = schema_keys(schema, law["at"], member)
        yield from wrong_keys(f"the reader of {law['law']}", known_keys(message), keys)
        yield from wrong_keys(f"contact.schema.json: {law['law']}", in_schema, keys)
        yield from wrong_keys(f"contact_files.md: {law['law']}", {key for of, key in page if of == law["law"]}, keys - {"law"})
        for parameter in law["parameters"]:
            yield from wrong_parameters(law, parameter, page, properties[0] if properties else {})


def wrong_scenario(tool, facts):
    """The keys of scenarios: as read, in the schema and on their page."""
    schema = json.loads(read("data/schema/scenario.schema.json"))
    page = read("docs/scenarios.md")
    for fact in facts:
        at, keys, members = fact["at"], set(fact["keys"].split()), fact.get("with", {})
        place = f"{at or 'the scenario'} {members or ''}".strip()
        if tool.simulates:
            message = tool.scenario_message(document_with(SCENARIO, at, {**members, UNKNOWN: 1}))
            yield from wrong_keys(f"the reader of {place}", known_keys(message), keys)
        yield from wrong_keys(f"scenario.schema.json: {place}", schema_keys(schema, at, members)[0], keys)
        heading = fact.get("section")
        section = re.search(rf"(?ms)^###? {heading}\n(.*?)(?=^## |\Z)", page)[1] if heading else page.split("\n## ")[0]
        for key in keys - {"note"}:
            if not re.search(rf'[`"]{key}[`"]', section):
                yield f"scenarios.md says nothing of {key} of {place}"
