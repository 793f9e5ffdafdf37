#!/usr/bin/env python3
"""Makes the meshes of machine parts in data/meshes, or finer ones elsewhere.

    make_parts.py                                      writes the files of the repository
    make_parts.py --faces 1000000 --out DIR gear       a gear of about a million faces
    make_parts.py --verify [--faces N] [PART ...]      checks the surfaces instead of writing them

Every part is one closed shell with its faces outward, lengths in metres. Curved outlines are polygons
with their vertices on the curve. --verify expects each surface to be closed and to have the volume of
a closed form for the polyhedron, or for the dented sphere that of the smooth solid within what its
faces cut off.

A surface is put together from grids of quadrilaterals, joined where their points agree to 1 nm.
"""

import argparse
import math
import pathlib
import struct
import sys

DATA = pathlib.Path(__file__).resolve().parent


class Mesh:
    def __init__(self):
        self.vertices, self.faces, self.index = [], [], {}

    def vertex(self, p):
        key = tuple(round(c * 1e9) for c in p)
        if key not in self.index:
            self.index[key] = len(self.vertices)
            # Ends of digits depend on the mathematical library; 1e-15 m keeps them out of the files.
            self.vertices.append(tuple(round(c, 15) + 0.0 for c in p))
        return self.index[key]

    def face(self, a, b, c):
        if a != b and b != c and c != a:
            self.faces.append((a, b, c))

    def grid(self, rows, flip=False):
        """Quadrilaterals between rows of points; outward is (along a row) x (from row to row)."""
        rows = [[self.vertex(p) for p in row] for row in (reversed(rows) if flip else rows)]
        for low, high in zip(rows, rows[1:]):
            for j in range(len(low) - 1):
                self.face(low[j], low[j + 1], high[j + 1])
                self.face(low[j], high[j + 1], high[j])

    def caps(self, rows, z):
        """Plane grids, counterclockwise from above, as the bottom and the top of a prism."""
        for h in (z[0], z[-1]):
            self.grid([[(x, y, h) for x, y in row] for row in rows], h == z[0])

    def wall(self, line, z):
        """The wall over a line that has the material on its left."""
        self.grid([[(x, y, height) for x, y in line] for height in z])


def count(base, scale, least=1):
    return max(least, round(base * scale))


def steps(low, high, n):
    return [low + (high - low) * i / n for i in range(n + 1)]


def line(p, q, n):
    return list(zip(*(steps(a, b, n) for a, b in zip(p, q))))


def polar(radius, angle):
    return radius * math.cos(angle), radius * math.sin(angle)


def polygon_area(points):
    pairs = zip(points, points[1:] + points[:1])
    return 0.5 * math.fsum(p[0] * q[1] - p[1] * q[0] for p, q in pairs)


def circle_area(radius, n):  # of a regular polygon on the circle
    return 0.5 * n * radius**2 * math.sin(2 * math.pi / n)


def gear(scale):
    """Spur gear: 18 teeth, module 2 mm, pressure angle 20 deg, 10 mm thick, bore 10 mm. The flanks are
    involutes, radial below the base circle, with fillets of 0.5 mm; the teeth are 0.05 mm thinner
    than half the pitch. Two mesh at 36 mm, one of them turned by half a pitch (10 deg)."""
    teeth, fillet, bore, thickness, backlash = 18, 0.0005, 0.005, 0.010, 0.00005
    pitch, root, tip, base = 0.018, 0.0155, 0.020, 0.018 * math.cos(math.radians(20))  # radii

    def involute(radius):
        a = math.acos(min(1.0, base / radius))
        return math.tan(a) - a

    def half_angle(radius):
        return (math.pi / teeth - backlash / pitch) / 2 + involute(pitch) - involute(radius)

    flank = []  # radius and half of the angle of the tooth there, from the root upward
    for t in steps(math.pi / 2, 0, count(2, scale)):
        radius = root + fillet * (1 - math.sin(t))
        flank.append((radius, half_angle(radius) + fillet * (1 - math.cos(t)) / root))
    flank += [(r, half_angle(r)) for r in steps(root + fillet, tip, count(3, scale))[1:]]

    mesh, outline, hub = Mesh(), [], []
    z, across = steps(-thickness / 2, thickness / 2, count(2, scale)), count(2, scale)
    for tooth in range(teeth):
        middle = 2 * math.pi * tooth / teeth
        rows = [[polar(r, a) for a in steps(middle - h, middle + h, across)] for r, h in flank]
        mesh.caps(rows[::-1], z)
        right, left = middle - flank[0][1], middle + flank[0][1]
        valley = steps(left, right + 2 * math.pi / teeth, across)[1:-1]
        outline += [row[0] for row in rows] + rows[-1][1:-1] + [row[-1] for row in reversed(rows)]
        outline += [polar(root, a) for a in valley]
        hub += steps(right, left, across) + valley
    hub.append(hub[0])
    mesh.caps([[polar(r, a) for a in hub] for r in steps(root, bore, count(3, scale))], z)
    mesh.wall(outline + outline[:1], z)
    hole = [polar(bore, a) for a in hub]
    mesh.wall(hole[::-1], z)
    return mesh, (polygon_area(outline) - polygon_area(hole)) * thickness


def square_with_hole(half, radius, side, rings):
    """Rows of points from the edge of a square about the origin to a circle, and the circle."""
    angles = steps(-0.75 * math.pi, 1.25 * math.pi, 4 * side)
    edge = [polar(half / max(abs(math.cos(a)), abs(math.sin(a))), a) for a in angles]
    return list(zip(*(line(p, polar(radius, a), rings) for p, a in zip(edge, angles))))


def plate(scale):
    """Plate of 100 x 100 x 40 mm with a hole of radius 10 mm: solids/hole.json."""
    half, radius, height = 0.05, 0.010, 0.04
    mesh, z, side = Mesh(), steps(-height, 0, count(4, scale)), count(16, scale, 4)
    rows = square_with_hole(half, radius, side, count(5, scale))
    mesh.caps(rows, z)
    mesh.wall(rows[0], z)
    mesh.wall(rows[-1][::-1], z)
    return mesh, (4 * half**2 - circle_area(radius, 4 * side)) * height


def peg(scale):
    """Peg of radius 9.95 mm and length 60 mm, as in solids/peg.json but with chamfers of 1 mm."""
    radius, height, chamfer, around = 0.00995, 0.06, 0.001, count(64, scale, 8)
    end, wall = (radius - chamfer, height / 2), (radius, height / 2 - chamfer)
    upper = line((0, height / 2), end, count(3, scale)) + line(end, wall, count(1, scale))[1:]
    lower = [(r, -z) for r, z in upper]
    profile = lower + line(lower[-1], wall, count(8, scale))[1:-1] + upper[::-1]
    mesh = Mesh()
    mesh.grid([[(*polar(r, a), z) for a in steps(0, 2 * math.pi, around)] for r, z in profile])
    frusta = ((s - z) * (r * r + r * q + q * q) for (r, z), (q, s) in zip(profile, profile[1:]))
    return mesh, circle_area(1, around) / 3 * math.fsum(frusta)


def bracket(scale):
    """L-bracket 40 mm wide, legs of 52 mm along x and z, 6 mm thick, fillet of 6 mm between them, and
    a hole of radius 6 mm through each leg. The legs are mirror images by x = z."""
    half, thick, fillet, radius = 0.02, 0.006, 0.006, 0.006
    corner = thick + fillet
    side, layers = count(8, scale, 2), count(2, scale)
    y = [half * math.tan(math.pi / 4 * t) for t in steps(-1, 1, side)]
    z = steps(0, thick, layers)
    # Columns of points (x, z) across the material, from the diagonal of the corner to the end.
    columns = []
    for a in steps(1.25 * math.pi, 1.5 * math.pi, count(3, scale)):
        outer = (corner + corner * math.cos(a) / -math.sin(a), 0.0)
        inner = (corner + fillet * math.cos(a), corner + fillet * math.sin(a))
        columns.append(line(outer, inner, layers))
    strip = columns[:]
    columns += [[(corner + half + x, h) for h in z] for x in y[1:]]
    face = [[(corner + half + u, v) for u, v in row]
            for row in square_with_hole(half, radius, side, count(4, scale))]

    mesh = Mesh()
    for mirror in (False, True):
        def grid(points, flip=False):
            place = (lambda p: p[::-1]) if mirror else (lambda p: p)
            mesh.grid([[place(p) for p in row] for row in points], flip != mirror)

        for v in (half, -half):
            grid([[(x, v, h) for x, h in column] for column in columns], v < 0)
        grid([[(c[0][0], v, c[0][1]) for v in y] for c in strip])
        grid([[(c[-1][0], v, c[-1][1]) for v in y] for c in strip], True)
        grid([[(corner + 2 * half, v, h) for v in y] for h in z])
        for h in (0.0, thick):
            grid([[(u, v, h) for u, v in row] for row in face], h == 0)
        grid([[(u, v, h) for u, v in face[-1]] for h in z], True)
    arc = [c[-1] for c in reversed(strip)]
    corner_area = 2 * polygon_area([(0.0, 0.0), (corner, 0.0)] + arc)
    legs = 2 * thick * (4 * half**2 - circle_area(radius, 4 * side))
    return mesh, corner_area * 2 * half + legs


def handrail(scale):
    """Tube of radius 12 mm with a wall of 2 mm: 60 mm straight, a bend of 90 deg at 50 mm, 100 mm
    straight. Open at its ends."""
    outer, inner, bend, first, last = 0.012, 0.010, 0.05, 0.06, 0.1
    mesh, around, turns = Mesh(), count(28, scale, 6), count(10, scale, 3)
    stations = [(s, 0.0, 0.0) for s in steps(-first, 0, count(4, scale))]
    stations += [(bend * math.sin(a), bend * (1 - math.cos(a)), a)
                 for a in steps(0, math.pi / 2, turns)[1:]]
    stations += [(bend, bend + s, math.pi / 2) for s in steps(0, last, count(6, scale))[1:]]

    def section(x, z, a, radius):
        ring = [polar(radius, turn) for turn in steps(0, 2 * math.pi, around)]
        return [(x - v * math.sin(a), u, z + v * math.cos(a)) for u, v in ring]

    mesh.grid([section(*s, outer) for s in stations])
    mesh.grid([section(*s, inner) for s in stations], True)
    for end in (-1, 0):
        radii = steps(outer, inner, count(1, scale))
        mesh.grid([section(*stations[end], r) for r in radii], end == 0)
    length = first + last + turns * bend * math.sin(math.pi / 2 / turns)
    return mesh, (circle_area(outer, around) - circle_area(inner, around)) * length


def dented_sphere(scale):
    """Geodesic sphere of radius 25 mm with a smooth dent 5 mm deep at its top."""
    radius, depth, width, n = 0.025, 0.005, 0.5, count(10, scale)

    def reach(angle):
        return radius - depth * math.exp(-((angle / width) ** 2))

    def place(p):
        length = math.hypot(*p)
        return [reach(math.acos(p[2] / length)) * c / length for c in p]

    ring = [(*polar(2, math.pi * i / 5), (-1) ** i) for i in range(10)]
    mesh = Mesh()
    for i in range(10):  # each corner of the belt with the next ones: a face there, one at its pole
        a, b, c = (ring[(i + k) % 10] for k in range(3))
        pole = (0.0, 0.0, (-1) ** i * math.sqrt(5))
        for p, q, s in ((a, c, pole), (a, b, c)):
            def vertex(u, v):
                return mesh.vertex(place([(n - u - v) * x + v * y + u * z for x, y, z in zip(p, q, s)]))

            rows = [[vertex(u, v) for v in range(n - u + 1)] for u in range(n + 1)]
            turn = (-1) ** i
            for low, high in zip(rows, rows[1:]):
                for j, top in enumerate(high):
                    mesh.face(*(low[j], low[j + 1], top)[::turn])
                    if j > 0:
                        mesh.face(*(low[j], top, high[j - 1])[::turn])
    total = math.fsum(reach(a) ** 3 * math.sin(a) for a in steps(0, math.pi, 10000))
    return mesh, 2 * math.pi / 3 * (math.pi / 10000) * total  # trapezoidal rule


def bowl(scale):
    """Block of 80 x 80 mm, 10 mm thick in its middle, with a spherical top that is hollow, of radius
    100 mm, its lowest point at the origin."""
    half, radius, thickness = 0.04, 0.1, 0.01
    n = count(32, scale, 2)
    u = steps(-half, half, n)
    rows = [[(x, y, radius - math.sqrt(radius**2 - x * x - y * y)) for x in u] for y in u]
    mesh = Mesh()
    mesh.grid(rows)
    mesh.grid([[(x, y, -thickness) for x, y, _ in row] for row in rows], True)
    for edge in (rows[0], [row[-1] for row in rows], rows[-1][::-1], [row[0] for row in rows][::-1]):
        mesh.grid([[(x, y, -thickness) for x, y, _ in edge], edge])
    heights = ((a[2] + b[2] + c[2]) / 3 for low, high in zip(rows, rows[1:]) for j in range(n)
               for a, b, c in ((low[j], low[j + 1], high[j + 1]), (low[j], high[j + 1], high[j])))
    return mesh, (2 * half / n)**2 / 2 * math.fsum(h + thickness for h in heights)


PARTS = {build.__name__: build
         for build in (bowl, bracket, dented_sphere, gear, handrail, peg, plate)}
SUFFIX = {"bracket": "stl", "peg": "stl"}  # the others: OBJ, which keeps all digits


def write(path, mesh):
    if path.suffix == ".obj":
        lines = [f"# {path.stem}, metres"] + ["v %r %r %r" % p for p in mesh.vertices]
        lines += ["f %d %d %d" % (a + 1, b + 1, c + 1) for a, b, c in mesh.faces]
        path.write_bytes("\n".join(lines + [""]).encode())
        return
    data = bytearray(f"{path.stem}, metres".encode().ljust(80) + struct.pack("<I", len(mesh.faces)))
    for face in mesh.faces:  # normals are left to the reader
        data += struct.pack("<12fH", 0, 0, 0, *(c for v in face for c in mesh.vertices[v]), 0)
    path.write_bytes(data)


def verify(name, mesh, volume):
    edges = [(f[i], f[i - 2]) for f in mesh.faces for i in range(3)]
    closed = len(set(edges)) == len(edges) and set(edges) == {(q, p) for p, q in edges}
    corners = ([mesh.vertices[v] for v in f] for f in mesh.faces)
    found = math.fsum(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                      + a[2] * (b[0] * c[1] - b[1] * c[0]) for a, b, c in corners) / 6
    tolerance = 20 / len(mesh.faces) if name == "dented_sphere" else 1e-11
    good = closed and abs(found - volume) <= tolerance * volume
    print(f"{name:14}{len(mesh.faces):9} faces  {'closed' if closed else 'OPEN'}  {found:.12e} m^3, "
          f"formula {volume:.12e} m^3  {'ok' if good else 'WRONG'}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--faces", type=int, help="of a part, about")
    parser.add_argument("--out", type=pathlib.Path, default=DATA / "meshes", help="directory")
    parser.add_argument("--verify", action="store_true", help="check, write no file")
    args = parser.parse_args()
    good = True
    for name in args.parts or PARTS:
        if name not in PARTS:
            parser.error(f"no part {name!r}; there are " + ", ".join(PARTS))
        mesh, volume = PARTS[name](1.0)
        if args.faces:
            mesh, volume = PARTS[name](math.sqrt(args.faces / len(mesh.faces)))
        if args.verify:
            good &= verify(name, mesh, volume)
        else:
            args.out.mkdir(parents=True, exist_ok=True)
            write(args.out / f"{name}.{SUFFIX.get(name, 'obj')}", mesh)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
