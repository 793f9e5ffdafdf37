"""Rules of the standard on modelDescription.xml and the archive, beyond what a variable must be to be used."""

import re

CAUSALITIES = {"parameter", "calculatedParameter", "input", "output", "local", "independent"}
VARIABILITIES = {"constant", "fixed", "tunable", "discrete", "continuous"}
# Elements of the root in their order.
ORDER = ["ModelExchange", "CoSimulation", "ScheduledExecution", "UnitDefinitions", "TypeDefinitions", "LogCategories",
         "DefaultExperiment", "VendorAnnotations", "ModelVariables", "ModelStructure"]
STRUCTURED = re.compile(r"(der\()?[A-Za-z_]\w*(\.[A-Za-z_]\w*)*\)?")


def faults(fmu):
    """What is wrong, one line each."""
    yield from of_root(fmu)
    yield from of_variables(fmu)
    yield from of_structure(fmu)
    yield from of_archive(fmu)


def of_root(fmu):
    tags = [element.tag for element in fmu.tree]
    if [ORDER.index(tag) for tag in tags] != sorted(ORDER.index(tag) for tag in tags):
        yield f"the elements of the root are out of order: {tags}"
    needed = ["modelName"] + (["guid"] if fmu.version == 2 else ["instantiationToken"])
    needed += ["numberOfEventIndicators"] if fmu.version == 2 and fmu.steps is None else []
    yield from (f"{name} is missing" for name in needed if not fmu.tree.get(name))
    if fmu.tree.get("fmiVersion") != f"{fmu.version}.0":
        yield f"fmiVersion is {fmu.tree.get('fmiVersion')}"
    if not re.fullmatch(r"[A-Za-z_]\w*", fmu.model):
        yield f"modelIdentifier is no name of C: {fmu.model}"
    units = [unit.get("name") for unit in fmu.tree.find("UnitDefinitions")]
    if len(units) != len(set(units)):
        yield "a unit is defined twice"
    yield from (f"{v.name}: unit {v.unit} is not defined" for v in fmu.variables if v.unit and v.unit not in units)


def of_variables(fmu):
    names = [v.name for v in fmu.variables]
    if len(names) != len(set(names)):
        yield "two variables have one name"
    if sum(v.causality == "independent" for v in fmu.variables) != 1:
        yield "there is to be one independent variable"
    for v in fmu.variables:
        if v.causality not in CAUSALITIES or v.variability not in VARIABILITIES:
            yield f"{v.name}: causality {v.causality}, variability {v.variability}"
        if fmu.tree.get("variableNamingConvention") == "structured" and not STRUCTURED.fullmatch(v.name):
            yield f"{v.name} is no name of the structured convention"
        if v.variability == "continuous" and v.kind != "Real":
            yield f"{v.name}: only reals are continuous"
        if v.causality == "parameter" and (v.variability not in ("fixed", "tunable") or v.initial != "exact"):
            yield f"{v.name}: parameters are fixed or tunable, and exact"
        needs_start = v.causality in ("input", "parameter") or v.initial in ("exact", "approx")
        if needs_start != (v.start is not None):
            yield f"{v.name}: start is {v.start}"
        if v.causality in ("input", "independent") and v.initial is not None:
            yield f"{v.name}: an {v.causality} has no initial"


def of_structure(fmu):
    structure, indicators = fmu.tree.find("ModelStructure"), 1 if fmu.steps is None else 0
    if fmu.version == 2:
        listed = {tag: [fmu.variables[int(u.get("index")) - 1] for u in structure.findall(f"{tag}/Unknown")]
                  for tag in ("Outputs", "Derivatives", "InitialUnknowns")}
        if fmu.tree.get("numberOfEventIndicators", "0") != str(indicators):
            yield f"there are {indicators} event indicators"
    else:
        references = {v.reference: v for v in fmu.variables}
        tags = {"Output": "Outputs", "ContinuousStateDerivative": "Derivatives", "InitialUnknown": "InitialUnknowns",
                "EventIndicator": "EventIndicators"}
        listed = {name: [references[int(u.get("valueReference"))] for u in structure.findall(tag)] for tag, name in tags.items()}
        if len(listed["EventIndicators"]) != indicators:
            yield f"there are {indicators} event indicators"
    outputs = [v for v in fmu.variables if v.causality == "output"]
    if listed["Outputs"] != outputs:
        yield "the outputs are not all variables that are outputs, in their order"
    if listed["Derivatives"] != fmu.rates or len(fmu.states) != len(fmu.rates):
        yield "the derivatives are not those of all states"
    unknown = [v for v in fmu.variables if v in outputs or v in fmu.rates]
    if listed["InitialUnknowns"] != unknown:
        yield "the initial unknowns are not the outputs and rates that are calculated"
    if any(state.initial != "exact" or state.causality != "local" for state in fmu.states):
        yield "states are local, and exact at the start"


def of_archive(fmu):
    needed = ["modelDescription.xml", str(fmu.library_path.relative_to(fmu.folder))]
    yield from (f"{name} is not in the archive" for name in needed if name not in fmu.members)
    licenses = [name for name in fmu.members if name.startswith("documentation/licenses/")]
    if licenses and "documentation/licenses/license.txt" not in licenses:
        yield "the licenses have no entry point"
    if any(name.startswith("/") or ".." in name or "\\" in name for name in fmu.members):
        yield "names lead out of the archive"
