#!/usr/bin/env python3
"""Makes the meshes of data/mujoco/threads: a bolt M20 x 2.5 and its nut.

    make_threads.py            writes the files of the repository
    make_threads.py --verify   checks the surfaces instead of writing them

Thread profile of ISO 68-1: flanks at 30 deg to the sections across the axis, flat crests of an eighth
of the pitch and roots of a quarter, 5/8 of the sharp height deep. The nut's is 0.1 mm further out,
which leaves 58 µm of axial play on either side; its ends are flat. Right-handed; lengths in metres.

Columns of points run up along the surface, `around` of them; a corner of the profile rises from column
to column, which makes its edges helices of straight pieces. The numbers of columns have four as their
greatest common divisor, so that not all edges of the nut pass those of the bolt at a time.

--verify expects the surfaces to be closed, and to have the volumes of the columns' profiles, joined
by straight lines, within 1e-3.
"""

import argparse
import itertools
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "mujoco" / "threads"
PITCH, MAJOR, GAP, ACROSS_FLATS, LENGTH, HEIGHT = 0.0025, 0.010, 0.0001, 0.030, 0.025, 0.0075
BOLT_COLUMNS, NUT_COLUMNS = 32, 36


class Profile:
    """Corners (radius, height) of one pitch, and the surface that they sweep out."""

    def __init__(self, gap, around, low, high):
        depth = 5 / 8 * math.sqrt(3) / 2 * PITCH
        root, crest = MAJOR + gap - depth, MAJOR + gap
        self.corners = [(root, 0.0), (root, PITCH / 4), (crest, 9 / 16 * PITCH), (crest, 11 / 16 * PITCH)]
        self.around, self.low, self.high = around, low, high

    def radius(self, column, z):
        z = (z - PITCH * column / self.around) % PITCH
        for (r, a), (s, b) in itertools.pairwise([*self.corners, (self.corners[0][0], PITCH)]):
            if z <= b:
                return r + (s - r) * (z - a) / (b - a)
        return self.corners[0][0]

    def column(self, j):
        """Labels, radii and heights from the low end to the high one; a helix has one label."""
        first, last = (math.floor(z / PITCH) for z in (self.low, self.high))
        points = [(n * len(self.corners) + k, r, z + PITCH * (n + j / self.around))
                  for n in range(first - 2, last + 1) for k, (r, z) in enumerate(self.corners)]
        inner = [p for p in points if self.low + 1e-9 < p[2] < self.high - 1e-9]
        return [(-math.inf, self.radius(j, self.low), self.low), *inner,
                (math.inf, self.radius(j, self.high), self.high)]

    def place(self, j, radius, z):
        angle = 2 * math.pi * j / self.around
        return radius * math.cos(angle), radius * math.sin(angle), z

    def line(self, j):
        return [(label, self.place(j, r, z)) for label, r, z in self.column(j)]

    def area(self, n=20000):
        """Of a section, mean over a pitch: triangles between neighbouring columns."""
        step = PITCH / n
        products = math.fsum(self.radius(0, (i + 0.5) * step) * self.radius(1, (i + 0.5) * step) for i in range(n))
        return 0.5 * self.around * math.sin(2 * math.pi / self.around) * products / n


class Mesh:
    def __init__(self):
        self.vertices, self.faces, self.index = [], [], {}

    def vertex(self, p):
        p = tuple(round(c, 9) + 0.0 for c in p)
        if p not in self.index:
            self.index[p] = len(self.vertices)
            self.vertices.append(p)
        return self.index[p]

    def face(self, a, b, c, flip=False):
        corners = [self.vertex(p) for p in ((c, b, a) if flip else (a, b, c))]
        if len(set(corners)) == 3:
            self.faces.append(corners)

    def strip(self, left, right, flip=False):
        """Triangles between two lines that go up, seen from the side on which left is left. Both end
        with one label, and so at one time."""
        i = j = 0
        while i < len(left) - 1:
            a, b = left[i + 1][0], right[j + 1][0]
            up_left, up_right = i + (a <= b), j + (b <= a)
            if up_right > j:
                self.face(left[i][1], right[j][1], right[up_right][1], flip)
            if up_left > i:
                self.face(left[i][1], right[up_right][1], left[up_left][1], flip)
            i, j = up_left, up_right

    def closed(self):
        edges = [(f[i], f[i - 2]) for f in self.faces for i in range(3)]
        return len(set(edges)) == len(edges) and set(edges) == {(q, p) for p, q in edges}

    def volume(self):
        corners = ([self.vertices[v] for v in f] for f in self.faces)
        return math.fsum(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                         + a[2] * (b[0] * c[1] - b[1] * c[0]) for a, b, c in corners) / 6

    def write(self, path):
        lines = [f"# {path.stem}, metres"] + ["v %.9g %.9g %.9g" % p for p in self.vertices]
        lines += ["f %d %d %d" % tuple(v + 1 for v in f) for f in self.faces]
        path.write_bytes("\n".join([*lines, ""]).encode())


def bolt():
    profile, mesh = Profile(0.0, BOLT_COLUMNS, 0.0, LENGTH), Mesh()
    lines = [profile.line(j) for j in range(BOLT_COLUMNS + 1)]
    for left, right in itertools.pairwise(lines):
        mesh.strip(left, right)
        for end, flip in ((0, True), (-1, False)):
            mesh.face((0.0, 0.0, left[end][1][2]), left[end][1], right[end][1], flip)
    return mesh, profile.area() * LENGTH


def hexagon(angle):
    third = math.pi / 3
    return ACROSS_FLATS / 2 / math.cos((angle + third / 2) % third - third / 2)


def nut():
    profile, mesh = Profile(GAP, NUT_COLUMNS, -HEIGHT / 2, HEIGHT / 2), Mesh()
    lines = [profile.line(j) for j in range(NUT_COLUMNS + 1)]
    corners = [profile.place(j, hexagon(2 * math.pi * j / NUT_COLUMNS), 0.0) for j in range(NUT_COLUMNS + 1)]
    walls = [[(label, (x, y, z)) for label, z in ((-math.inf, -HEIGHT / 2), (math.inf, HEIGHT / 2))] for x, y, _ in corners]
    for j in range(NUT_COLUMNS):
        left, right = lines[j], lines[j + 1]
        mesh.strip(left, right, True)
        mesh.strip(walls[j], walls[j + 1])
        for end, flip in ((0, False), (-1, True)):
            mesh.face(walls[j][end][1], left[end][1], right[end][1], flip)
            mesh.face(walls[j][end][1], right[end][1], walls[j + 1][end][1], flip)
    outer = 0.5 * math.fsum(p[0] * q[1] - p[1] * q[0] for p, q in itertools.pairwise(corners))
    return mesh, (outer - profile.area()) * HEIGHT


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--verify", action="store_true", help="check, write no file")
    verify = parser.parse_args().verify
    good = True
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (mesh, volume) in (("bolt", bolt()), ("nut", nut())):
        if not verify:
            mesh.write(FOLDER / f"{name}.obj")
            continue
        fine = mesh.closed() and abs(mesh.volume() - volume) <= 1e-3 * volume
        good &= fine
        print(f"{name:8}{len(mesh.faces):6} faces  {'closed' if mesh.closed() else 'OPEN'}  {mesh.volume():.6e} m^3, "
              f"profile {volume:.6e} m^3  {'ok' if fine else 'WRONG'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
