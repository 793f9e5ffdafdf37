#!/usr/bin/env python3
"""Computes the known overlap volumes of quickstart.json and writes them into it.

Independent of libvolcontact: closed forms and one-dimensional quadrature in 60-digit arithmetic
(needs mpmath; Debian: python3-mpmath). Dimensions and poses are read from the files and taken as
the exact values of their doubles; a rotation is that of q/|q|. Each function checks that the pose
is of the kind it can deal with.
"""

import json
import pathlib
import re

from mpmath import acos, findroot, mp, mpf, pi, quad, sqrt

mp.dps = 60
DATA = pathlib.Path(__file__).resolve().parent


def exact(pose):
    """Translation and rotation matrix of [x, y, z, qw, qx, qy, qz]."""
    x, y, z, *q = map(mpf, pose)
    norm = sqrt(sum(c * c for c in q))
    w, i, j, k = (c / norm for c in q)
    return (x, y, z), (
        (1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w)),
        (2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w)),
        (2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j)),
    )


def cap(radius, height):
    """Volume of a spherical cap."""
    return pi * height**2 * (3 * radius - height) / 3


def sphere_on_plane(a, b, pose):
    """Closed form: a spherical cap of height d = R - z, V = pi d^2 (3 R - d) / 3."""
    assert "half_space" in b
    radius = mpf(a["sphere"]["radius"])
    (_, _, z), _ = exact(pose)
    assert abs(z) < radius
    return cap(radius, radius - z)


def sphere_on_cylinder(a, b, pose):
    """Quadrature over slices across the cylinder's axis: each slice is the lens of two circles."""
    rs, rc = mpf(a["sphere"]["radius"]), mpf(b["cylinder"]["radius"])
    (x, y, z), _ = exact(pose)
    d = sqrt(x * x + y * y)  # distance of the sphere's centre from the axis
    assert abs(z) + rs < mpf(b["cylinder"]["height"]) / 2 and max(rs, rc) < d < rs + rc

    def lens(zeta):
        r = sqrt(rs * rs - zeta * zeta)
        if r <= d - rc:
            return mpf(0)
        ca = (d * d + rc * rc - r * r) / (2 * d * rc)
        cb = (d * d + r * r - rc * rc) / (2 * d * r)
        return (rc * rc * (acos(ca) - ca * sqrt(1 - ca * ca))
                + r * r * (acos(cb) - cb * sqrt(1 - cb * cb)))

    end = sqrt(rs * rs - (d - rc) ** 2)
    return 2 * quad(lens, [0, end])


def tilted_peg_in_hole(a, b, pose):
    """Quadrature over planes y = const: the overlap's section is two triangles of known area.

    The peg is tilted in the x-z plane by alpha. At a given y its section is a tilted strip of half
    width u = sqrt(r^2 - y^2), the bore's wall are the lines |x| = w = sqrt(R^2 - y^2). At the mouth
    the strip's right edge is e1 beyond the wall: a triangle of area e1^2 / (2 tan alpha). At the
    peg's lower end the strip's left corner, a right angle, is e2 beyond the wall: a triangle of
    area e2^2 / (2 sin alpha cos alpha).
    """
    plate, bore = b["difference"]
    r, length = mpf(a["cylinder"]["radius"]), mpf(a["cylinder"]["height"])
    big = mpf(bore["cylinder"]["radius"])
    thickness = mpf(plate["box"]["size"][2])
    mouth = mpf(b["pose"]["t"][2]) + thickness / 2
    (xc, yc, zc), rotation = exact(pose)
    s, c = rotation[0][2], rotation[2][2]
    assert yc == 0 and rotation[1][2] == 0 and 0 < s < c and b["pose"]["q"] == [1, 0, 0, 0]

    def e1(y):
        return xc + (mouth - zc) * s / c + sqrt(r * r - y * y) / c - sqrt(big * big - y * y)

    def e2(y):
        return -(xc - length / 2 * s - sqrt(r * r - y * y) * c) - sqrt(big * big - y * y)

    # The triangles end inside the bore and the peg, and do not meet.
    assert 0 < e1(0) * c / s and 0 < e2(0) / s
    assert e1(0) * c / s + e2(0) * c / s < mouth - (zc - length / 2 * c) < thickness
    assert zc + length / 2 * c - r * s > mouth

    def half(e, factor):
        end = findroot(e, (0, r * (1 - mpf(10) ** -6)), solver="anderson")
        return 2 * quad(lambda y: e(y) ** 2, [0, end]) * factor

    return half(e1, c / (2 * s)) + half(e2, 1 / (2 * s * c))


def tippe_top_on_plane(a, b, pose):
    """Closed form: only the top's sphere meets the table, V = pi d^2 (3 R - d) / 3."""
    assert "half_space" in b
    body, stem = a["union"]
    sphere, cut = body["intersection"]
    radius = mpf(sphere["sphere"]["radius"])
    (_, _, z), rotation = exact(pose)
    up = rotation[2][2]  # cosine of the tilt
    side = sqrt(1 - up * up)
    depth = radius - z
    # The cap's edge is below the cut, and the lowest point of the stem above the table.
    height = mpf(cut["pose"]["t"][2])
    edge = sqrt(radius**2 - z**2)
    assert 0 < depth and -z * up + edge * side < height
    for end in (-1, 1):
        along = mpf(stem["pose"]["t"][2]) + end * mpf(stem["cylinder"]["height"]) / 2
        assert z + along * up - mpf(stem["cylinder"]["radius"]) * side > 0
    return cap(radius, depth)


def keyed_shaft_in_bracket(a, b, pose):
    """Quadrature over the crescent where the shaft's circle is outside the bore's, less the keyway; along the thickness."""
    shaft, key = a["difference"]
    r, height = mpf(shaft["cylinder"]["radius"]), mpf(shaft["cylinder"]["height"])
    plate, bore = b["difference"][0]["union"][0]["box"]["size"], b["difference"][1]["cylinder"]
    foot = b["difference"][0]["union"][1]
    R, thickness = mpf(bore["radius"]), mpf(plate[2])
    (e, y, z), rotation = exact(pose)
    assert y == 0 and rotation == ((1, 0, 0), (0, 1, 0), (0, 0, 1)) and 0 < e and r < R < e + r
    assert abs(z) + thickness / 2 < height / 2 and "pose" not in bore
    # The bracket's foot and the plate's edges are out of the shaft's reach.
    reach = -(mpf(foot["pose"]["t"][1]) + mpf(foot["box"]["size"][1]) / 2)
    assert r < reach and r + e < mpf(plate[0]) / 2 and r < mpf(plate[1]) / 2
    chord = (e * e + R * R - r * r) / (2 * e)
    edge, slot = sqrt(R * R - chord * chord), mpf(key["box"]["size"][1]) / 2
    # The keyway reaches from inside of the bore through the shaft's surface.
    from_axis, half = mpf(key["pose"]["t"][0]), mpf(key["box"]["size"][0]) / 2
    assert e + from_axis - half < sqrt(R * R - slot * slot) and from_axis + half > r and slot < edge
    crescent = 2 * quad(lambda t: e + sqrt(r * r - t * t) - sqrt(R * R - t * t), [slot, edge])
    return thickness * crescent


def table_on_slabs(a, b, pose):
    """Closed form: a spherical cap under each leg."""
    (x, y, z), rotation = exact(pose)
    assert x == 0 and y == 0 and rotation == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    total = mpf(0)
    for leg, slab in zip(a["union"][1:], b["union"]):
        foot, block = leg["capsule"], slab["box"]["size"]
        assert leg["pose"]["t"][:2] == slab["pose"]["t"][:2] and 2 * foot["radius"] < min(block)
        lowest = (z + mpf(leg["pose"]["t"][2]) - mpf(foot["height"]) / 2 - mpf(foot["radius"]))
        depth = mpf(slab["pose"]["t"][2]) + mpf(block[2]) / 2 - lowest
        assert 0 < depth < mpf(foot["radius"])
        total += cap(mpf(foot["radius"]), depth)
    return total


KNOWN = {
    "sphere pressed on a plane": (sphere_on_plane, "closed form, spherical cap"),
    "fingertip on a shaft": (sphere_on_cylinder, "60-digit quadrature of circle-circle lenses"),
    "tilted peg in a hole": (tilted_peg_in_hole, "60-digit quadrature of triangular sections"),
    "tippe-top on a table": (tippe_top_on_plane, "closed form, spherical cap"),
    "keyed shaft in a bracket": (keyed_shaft_in_bracket, "60-digit quadrature of a crescent"),
    "table on uneven ground": (table_on_slabs, "closed form, four spherical caps"),
}


def main():
    path = DATA / "quickstart.json"
    table = json.loads(path.read_text(encoding="utf-8"))
    for pair in table["pairs"]:
        if pair["name"] not in KNOWN:
            continue  # meshes: exact corefinement, by another program
        function, source = KNOWN[pair["name"]]
        a, b = (json.loads((DATA / pair[key]).read_text(encoding="utf-8")) for key in ("a", "b"))
        volume = function(a, b, pair["pose_a"])
        pair["volume"], pair["source"] = float(volume), source
        print(f"{pair['name']}: {mp.nstr(volume, 25)} m^3")
    # Poses on one line each.
    text = re.sub(r"\[[^][{}]*\]", lambda m: json.dumps(json.loads(m[0])),
                  json.dumps(table, indent=2))
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
