"""Pages of reference from JSON Schemas; see stage.py."""


def kind(schema):
    """What a value is, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1].removesuffix(".schema.json")
        return name.replace("_", " ")
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    for choice in ("oneOf", "anyOf"):
        if choice in schema and "properties" not in schema:  # else it says which keys are needed
            return " or ".join(dict.fromkeys(kind(one) for one in schema[choice]))
    types = schema.get("type", "any")
    types = types if isinstance(types, list) else [types]
    if types == ["array"] and "items" in schema and isinstance(schema["items"], dict):
        return f"list of {kind(schema['items'])}"
    if types == ["object"] and "properties" in schema:
        return "object of " + ", ".join(f"`{key}`" for key in schema["properties"])
    return " or ".join(types)


def limits(schema):
    """The range and default of a value."""
    said = []
    for key, text in (("minimum", "≥ {}"), ("exclusiveMinimum", "> {}"), ("maximum", "≤ {}"), ("exclusiveMaximum", "< {}"),
                      ("default", "default `{}`")):
        if key in schema:
            said.append(text.format(schema[key]))
    return ", ".join(said)


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(schema):
    """One row a key of an object."""
    required = schema.get("required", [])
    lines = ["| key | value | | meaning |", "|---|---|---|---|"]
    for key, value in schema.get("properties", {}).items():
        name = f"`{key}`" + (" (required)" if key in required else "")
        lines.append("| " + " | ".join(map(cell, (name, kind(value), limits(value), value.get("description", "")))) + " |")
    return lines + [""]


def sections(schema):
    """A table for the object itself, and one for each of the objects it may be."""
    lines = []
    if schema.get("properties"):
        lines += table(schema)
    for choice in ("oneOf", "anyOf", "allOf"):
        for one in schema.get(choice, []):
            if one.get("properties"):
                lines += [one["description"], ""] if "description" in one else []
                lines += table(one)
    return lines


def schema_page(schema):
    lines = [f"# {schema['title']}", "", schema.get("description", ""), ""] + sections(schema)
    for name, definition in schema.get("$defs", {}).items():
        lines += [f"## {name.replace('_', ' ')}", "", definition.get("description", ""), ""]
        lines += sections(definition) or [f"A value: {kind(definition)}. {limits(definition)}", ""]
    return "\n".join(lines)
