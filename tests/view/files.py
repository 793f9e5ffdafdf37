#!/usr/bin/env python3
"""What `volcontact view` writes, read back by others: VTK's readers and the official glTF validator.

    files.py TOOL DATA NODE VALIDATOR [SIMULATES]

NODE and VALIDATOR: the program node and the folder of its package gltf-validator; SIMULATES: 1 where the tool has
`simulate`.
"""

import base64
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader, vtkXMLPolyDataReader

HOSTILE = "</script><img src=x onerror=alert(1)> & \"quoted\" 'π' \u202e"
CONTACT = {"normal": {"stiffness": 1e9, "restitution": 0.7},
           "friction": {"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}
BALL = {"sphere": {"radius": 0.1}, "name": HOSTILE}
# Cube of 0.2 m as a mesh.
CORNERS = [[0.1 * (2 * i - 1), 0.1 * (2 * j - 1), 0.1 * (2 * k - 1)] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
CUBE = {"mesh": {"vertices": CORNERS, "faces": [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]}}
TILTED = "0,0,0.13,0.9238795325112867,0.2705980500730985,0.2705980500730985,0"
# name, A, B, pose of A; unless it says so none is thin.
CASES = [
    ("cap", BALL, {"half_space": {}}, "0,0,0.098,1,0,0,0"),
    ("thin", BALL, {"half_space": {}}, "0.3,-0.2,0.0999999,1,0,0,0"),
    ("lens", BALL, {"sphere": {"radius": 0.15}}, "0.1,0.12,0.15,1,0,0,0"),
    ("corner", {"box": {"size": [0.2, 0.2, 0.2]}}, {"half_space": {}}, TILTED),
    ("mesh", CUBE, {"half_space": {}}, TILTED),
    ("peg", {"cylinder": {"radius": 0.05, "height": 0.3}}, {"box": {"size": [0.3, 0.3, 0.1]}}, "0.02,0,0.18,1,0,0,0"),
]
TOLERANCE = 1e-3


class Files:
    def __init__(self, tool, node, validator):
        self.tool, self.node, self.validator = tool, node, validator
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.failures, self.glbs = 0, []

    def expect(self, holds, what):
        if not holds:
            self.failures += 1
            print("FAILED:", what)

    def write(self, name, document):
        (self.folder / name).write_text(json.dumps(document), encoding="utf-8")

    def run(self, *arguments):
        done = subprocess.run([self.tool, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr}")
        return done

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json").stdout)

    def view(self, *arguments, out):
        answer = self.json("view", *arguments, "--out", out)
        self.expect((self.folder / out).stat().st_size <= answer["bytes"], f"{out}: bytes")
        if out.endswith(".glb"):
            self.glbs.append(out)
        return answer

    def validate(self):
        """All GLB files, in one process of node."""
        script = pathlib.Path(__file__).with_name("validate.mjs")
        done = subprocess.run([self.node, str(script), self.validator, *self.glbs], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.expect(done.returncode == 0, f"glTF-Validator: {done.stdout}{done.stderr}")


def poly_data(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def texts(data, name):
    array = data.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


def triangles(data, kind):
    """Corners (n, 3, 3), indices of points (n, 3) and owners (n) of the polygons of a kind."""
    first = data.GetNumberOfVerts() + data.GetNumberOfLines()
    kinds = vtk_to_numpy(data.GetCellData().GetArray("kind"))[first:]
    owners = vtk_to_numpy(data.GetCellData().GetArray("owner"))[first:]
    corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    chosen = kinds == texts(data, "kinds").index(kind)
    points = vtk_to_numpy(data.GetPoints().GetData())
    return points[corners[chosen]], corners[chosen], owners[chosen]


def area_vectors(corners):
    return 0.5 * numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def glb_json(path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length])


def check_contact(files, name, a, b, pose):
    """The sums over what is drawn against the query's numbers."""
    files.write("a.json", a)
    files.write("b.json", b)
    pair = ["a.json", "b.json", "--pose-a", pose]
    metrics = files.json("query", *pair)
    out = f"{name}.vtp"
    files.view(*pair, "--stiffness", "1e9", "--arcs", "--cells", out=out)
    data = poly_data(files.folder / out)
    volume, size = metrics["volume"], metrics["contact_area"]

    corners, _, owners = triangles(data, "overlap")
    middle = numpy.array(metrics["centroid"])
    areas = area_vectors(corners)
    enclosed = numpy.sum((corners - middle).mean(axis=1) * areas) / 3
    files.expect(abs(enclosed - volume) <= TOLERANCE * volume, f"{name}: volume {enclosed}, not {volume}")
    of_b = areas[owners != 0].sum(axis=0)
    files.expect(numpy.abs(of_b - metrics["area_vector"]).max() <= TOLERANCE * size,
                 f"{name}: area vector {of_b}, not {metrics['area_vector']}")

    corners, indices, _ = triangles(data, "patch")
    normal = vtk_to_numpy(data.GetFieldData().GetArray("patch_normals"))[0]
    pressure = vtk_to_numpy(data.GetPointData().GetArray("pressure"))
    force = numpy.sum((area_vectors(corners) @ normal) * pressure[indices].mean(axis=1))
    files.expect(abs(force - 1e9 * volume) <= TOLERANCE * 1e9 * volume,
                 f"{name}: pressure adds up to {force}, not {1e9 * volume}")
    heights = vtk_to_numpy(data.GetPointData().GetArray("height"))[numpy.unique(indices)]
    files.expect(heights.min() >= 0, f"{name}: heights")
    normals = vtk_to_numpy(data.GetPointData().GetArray("Normals"))
    lengths = numpy.linalg.norm(normals, axis=1)
    files.expect((numpy.isclose(lengths, 1, atol=1e-5) | (lengths == 0)).all(), f"{name}: normals")
    files.view(*pair, "--stiffness", "1e9", "--arcs", "--cells", out=f"{name}.glb")
    return data


def check_force(files):
    """Forces of a moving contact, and names that are no names, in every form."""
    files.write("a.json", BALL)
    files.write("b.json", {"half_space": {}, "name": HOSTILE + "b"})
    files.write("contact.json", CONTACT)
    scene = ["a.json", "b.json", "--pose-a", "0,0,0.098,1,0,0,0", "--params", "contact.json",
             "--twist-a", "0.1,0,-0.05,0,0,3"]
    answer = files.json("force", *scene)
    files.view(*scene, out="force.vtp")
    data = poly_data(files.folder / "force.vtp")
    labels = texts(data, "arrow_labels")
    vectors = vtk_to_numpy(data.GetFieldData().GetArray("arrow_vectors"))
    for label, vector in [("force on A", answer["force"]), ("torque on A", answer["torque"]),
                          ("friction force on A", answer["parts"]["tangential"]),
                          ("area vector", answer["metrics"]["area_vector"])]:
        files.expect(numpy.array_equal(vectors[labels.index(label)], vector), label)
    corners, indices, _ = triangles(data, "patch")
    pressure = vtk_to_numpy(data.GetPointData().GetArray("pressure"))
    normal = vtk_to_numpy(data.GetFieldData().GetArray("patch_normals"))[0]
    total = numpy.sum((area_vectors(corners) @ normal) * pressure[indices].mean(axis=1))
    exact = numpy.linalg.norm(answer["parts"]["normal"])
    files.expect(abs(total - exact) <= TOLERANCE * exact, f"damped pressure {total}, not {exact}")

    files.view(*scene, out="force.vtm")
    reader = vtkXMLMultiBlockDataReader()
    reader.SetFileName(str(files.folder / "force.vtm"))
    reader.Update()
    blocks = reader.GetOutput()
    names = [blocks.GetMetaData(i).Get(blocks.NAME()) for i in range(blocks.GetNumberOfBlocks())]
    files.expect(names[0] == "solid " + HOSTILE, f"name of a block: {names[0]}")
    count = sum(blocks.GetBlock(i).GetNumberOfPolys() for i in range(blocks.GetNumberOfBlocks()))
    files.expect(count == data.GetNumberOfPolys(), f"blocks: {count} polygons")

    files.view(*scene, out="force.pvd")
    check_series(files, "force.pvd", 1)
    files.view(*scene, out="force.glb")
    extras = glb_json(files.folder / "force.glb")["scenes"][0]["extras"]["volcontact"]
    files.expect(extras["metrics"]["force"] == answer["force"], "metrics of the scene")
    files.expect(HOSTILE in extras["title"], "title of the scene")

    # Of the scene nothing but base64 stands in the page.
    (files.folder / "page.html").write_text("<p>one</p><!--VOLCONTACT-SCENE--><p>two</p>", encoding="utf-8")
    files.view(*scene, "--page", "page.html", out="force.html")
    page = (files.folder / "force.html").read_text(encoding="ascii")
    before, after = '<p>one</p><script type="application/octet-stream" id="volcontact-scene">', "</script><p>two</p>"
    files.expect(page.startswith(before) and page.endswith(after), "the page around the scene")
    data = base64.b64decode(page[len(before):-len(after)], validate=True)
    (files.folder / "page.glb").write_bytes(data)
    scenes = [glb_json(files.folder / name) for name in ("page.glb", "force.glb")]
    for shown in scenes:
        del shown["scenes"][0]["extras"]["volcontact"]["metrics"]["metrics"]["stats"]["seconds"]
    files.expect(scenes[0] == scenes[1], "the scene in the page")

    # A tool that has no page beside it says how to get one, and does without for the other forms.
    lone = files.folder / "lone"
    shutil.copy(files.tool, lone)
    done = subprocess.run([lone, "view", *scene, "--out", "no.html"], cwd=files.folder,
                          capture_output=True, text=True, check=False)
    files.expect(done.returncode == 2 and done.stderr.count("\n") == 1 and "--page" in done.stderr
                 and not (files.folder / "no.html").exists(), f"without a page: {done.stderr}")


def check_series(files, name, times):
    """ParaView alone reads .pvd; it is XML that names files."""
    sets = xml.etree.ElementTree.parse(files.folder / name).getroot().findall("./Collection/DataSet")
    steps = [float(at.get("timestep")) for at in sets]
    files.expect(steps == sorted(steps) and len(set(steps)) == times, f"{name}: times {steps}")
    for at in sets:
        data = poly_data(files.folder / at.get("file"))
        files.expect(data.GetNumberOfCells() > 0, f"{name}: {at.get('file')}")
        values = data.GetFieldData().GetArray("TimeValue")
        files.expect(values is None or values.GetValue(0) == float(at.get("timestep")), f"{name}: TimeValue")


def check_scenario(files, path):
    """A short run of a shipped scenario can be seen, with its forces as they were."""
    document = json.loads(path.read_text(encoding="utf-8"))
    variants = document.get("variants")
    settings = dict(document)
    if variants:
        settings.update({key: value for key, value in variants[0].get("set", {}).items() if "." not in key})
    interval = settings.get("output_interval", settings["end_time"] / 1000)
    name = path.stem
    options = ["--variant", variants[0]["name"]] if variants else []
    done = subprocess.run([files.tool, "simulate", str(path), "--out", name, "--no-plots", "--set",
                           f"end_time={12 * interval}", "--set", f"output_interval={interval}", *options],
                          cwd=files.folder, capture_output=True, text=True, check=False)
    files.expect(done.returncode != 2, f"{name}: {done.stderr}")
    run = f"{name}/{variants[0]['name']}" if variants else name
    answer = files.view(run, "--every", "5", out=f"{name}.glb")
    rows = (files.folder / run / "timeseries.csv").read_text(encoding="utf-8").splitlines()
    names, rows = rows[0].split(","), [line.split(",") for line in rows[1:]]
    kept = sorted({*range(0, len(rows), 5), len(rows) - 1})
    files.expect(answer["times"] == len(kept) and answer["rows"] == len(rows), f"{name}: times")
    scene = glb_json(files.folder / f"{name}.glb")
    shown = scene["scenes"][0]["extras"]["volcontact"]["run"]
    for contact in shown["contacts"] or []:  # no list is null
        column = names.index(contact["name"] + ".fz")
        forces = [float(rows[i][column]) for i in kept]
        files.expect(numpy.allclose([f[2] for f in contact["force"]], forces, rtol=1e-6, atol=1e-30),
                     f"{name}: forces of {contact['name']}")
    kinds = [node.get("extras", {}).get("volcontact", {}).get("kind") for node in scene["nodes"]]
    files.expect("solid" in kinds and "animations" in scene, f"{name}: kinds {set(kinds)}")
    if name == "stack":
        # The run's own page links its page with motion.
        files.view(run, "--every", "5", "--page", "page.html", out=f"{run}/view.html")
        page = (files.folder / run / "index.html").read_text(encoding="utf-8")
        files.expect('href="view.html"' in page, "the link from the run's page")
        files.view(run, "--every", "5", out="stack.pvd")
        check_series(files, "stack.pvd", len(kept))


def main():
    tool, data, node, validator = sys.argv[1:5]
    files = Files(tool, node, validator)
    for case in CASES:
        check_contact(files, *case)
    thin = glb_json(files.folder / "thin.glb")["scenes"][0]["extras"]["volcontact"]["inset"]
    files.expect(thin["factor"] > 100, f"inset of a thin contact: {thin}")
    check_force(files)
    if sys.argv[5:] == ["1"]:
        for path in sorted(pathlib.Path(data, "scenarios").glob("*.json")):
            check_scenario(files, path)
    files.validate()
    print(f"{len(files.glbs)} glTF files, {files.failures} failures")
    sys.exit(files.failures > 0)


main()
