"""Writes closed_form_reference.csv: metrics of a curved solid B within the half-space A, z <= 0.

Independent of the library: slices are integrated by tanh-sinh quadrature in 50 digits. Columns: kind,
three parameters, t (3), q (4) of B, V, reference point (3), centroid less that point (3), inertia (xx,
yy, zz, xy, xz, yz), area of the section. Every input is a double, printed so that it reads back
exactly; results have 20 digits.

    python3 closed_form_reference.py > closed_form_reference.csv
"""
import math

from mpmath import mp, mpf, matrix, quad, sqrt, pi

mp.dps = 50


def rotation(q):
    w, x, y, z = [mpf(v) for v in q]
    n = w * w + x * x + y * y + z * z
    return matrix([[w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
                   [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
                   [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]]) / n


def about(moments, p):
    """Moments (V, first, second) about p from those about the origin."""
    V, f, s = moments
    g = f - V * p
    return V, g, s - f * p.T - p * f.T + V * p * p.T


def quadric_slices(Q, z_low):
    """Moments of x'Qx <= 0 between z_low and 0, whose horizontal sections are ellipses."""
    A = Q[0:2, 0:2]
    Ai = A ** -1

    def section(z):
        b = matrix([Q[0, 2] * z + Q[0, 3], Q[1, 2] * z + Q[1, 3]])
        c = Q[2, 2] * z * z + 2 * Q[2, 3] * z + Q[3, 3]
        o = -(Ai * b)
        k = -(b.T * o)[0] - c
        return o, k * Ai, pi * k * sqrt(mp.det(Ai))

    def integral(f):
        return quad(lambda z: f(z, *section(z)), [z_low, 0])

    V = integral(lambda z, o, E, a: a)
    first = matrix([integral(lambda z, o, E, a: a * o[0]), integral(lambda z, o, E, a: a * o[1]),
                    integral(lambda z, o, E, a: a * z)])
    second = matrix(3, 3)
    for i in range(2):
        for j in range(2):
            second[i, j] = integral(lambda z, o, E, a: a * (E[i, j] / 4 + o[i] * o[j]))
        second[i, 2] = second[2, i] = integral(lambda z, o, E, a: a * z * o[i])
    second[2, 2] = integral(lambda z, o, E, a: a * z * z)
    return (V, first, second), section(mpf(0))[2]


def transform_quadric(D, R, t):
    X = matrix(4, 4)
    X[0:3, 0:3] = R.T
    p = -(R.T * t)
    for i in range(3):
        X[i, 3] = p[i]
    X[3, 3] = 1
    return X.T * D * X


def ellipsoid(p, R, t):
    D = mp.diag([1 / mpf(p[0]) ** 2, 1 / mpf(p[1]) ** 2, 1 / mpf(p[2]) ** 2, -1])
    w = sqrt(sum((mpf(p[i]) * R[2, i]) ** 2 for i in range(3)))
    return quadric_slices(transform_quadric(D, R, t), t[2] - w)


def cone_tip(p, R, t):
    """Cone with its tip at z = height; the plane cuts off the tip."""
    g = mpf(p[0]) / mpf(p[1])
    D = mp.diag([1, 1, -g * g, 0])
    tip = t + R * matrix([0, 0, mpf(p[1])])
    return quadric_slices(transform_quadric(D, R, tip), tip[2])


def slices(breaks, at, dims):
    """Moments of slices u = const; at(u) gives the area and the lateral central seconds (v, w) of each,
    centred on the axis; dims names the axes (v, w, u) as columns of a frame."""
    def integral(f):
        return quad(f, breaks)
    V = integral(lambda u: at(u)[0])
    U = integral(lambda u: at(u)[0] * u)
    UU = integral(lambda u: at(u)[0] * u * u)
    VV = integral(lambda u: at(u)[1])
    WW = integral(lambda u: at(u)[2])
    first = dims * matrix([0, 0, U])
    second = dims * mp.diag([VV, WW, UU]) * dims.T
    return V, first, second


def cylinder(p, R, t):
    """Columns along the axis, about the cylinder's centre, in the plane of the axis and the vertical."""
    r, H = mpf(p[0]), mpf(p[1])
    axis = R[:, 2]
    if axis[2] < 0:
        axis = -axis
    up = matrix([0, 0, 1])
    c = axis[2]
    horizontal = up - c * axis
    s = sqrt((horizontal.T * horizontal)[0])
    ex = horizontal / s if s > mpf(10) ** -40 else R[:, 0]
    s = s if s > mpf(10) ** -40 else mpf(0)
    ey = matrix([axis[1] * ex[2] - axis[2] * ex[1], axis[2] * ex[0] - axis[0] * ex[2],
                 axis[0] * ex[1] - axis[1] * ex[0]])
    d = -t[2]
    top = lambda x: min(H / 2, (d - s * x) / c) if c > 0 else (H / 2 if s * x < d else -H / 2)
    breaks = [-r, r]
    if s > 0:
        breaks += [x for x in ((d - c * H / 2) / s, (d + c * H / 2) / s) if -r < x < r]
    breaks = sorted(set(breaks))
    if s > 0 and (d + c * H / 2) / s < r:
        breaks = breaks[:-1]
    y = lambda x: sqrt(max(mpf(0), r * r - x * x))
    f = lambda g: quad(lambda x: 2 * y(x) * g(x, top(x)), breaks)
    low = -H / 2
    V = f(lambda x, z: z - low)
    X = f(lambda x, z: x * (z - low))
    Z = f(lambda x, z: (z * z - low * low) / 2)
    XX = f(lambda x, z: x * x * (z - low))
    YY = f(lambda x, z: y(x) ** 2 / 3 * (z - low))
    ZZ = f(lambda x, z: (z ** 3 - low ** 3) / 3)
    XZ = f(lambda x, z: x * (z * z - low * low) / 2)
    if c > 0:
        from_x = max(-r, (d - c * H / 2) / s) if s > 0 else -r
        area = quad(lambda x: 2 * y(x), [from_x, breaks[-1]]) / c
    else:
        area = 2 * y(d / s) * H
    F = matrix(3, 3)
    for i in range(3):
        F[i, 0], F[i, 1], F[i, 2] = ex[i], ey[i], axis[i]
    first = F * matrix([X, 0, Z])
    second = F * matrix([[XX, 0, XZ], [0, YY, 0], [XZ, 0, ZZ]]) * F.T
    return shift((V, first, second), t), area


def shift(moments, t):
    return about(moments, -t)


def capsule_lying(p, R, t):
    r, H = mpf(p[0]), mpf(p[1])
    w = lambda u: sqrt(max(mpf(0), r * r - u * u))
    axis = R[:, 2]
    ex = matrix([axis[1], -axis[0], 0])
    F = matrix(3, 3)
    for i in range(3):
        F[i, 0], F[i, 1], F[i, 2] = ex[i], axis[i], mpf(i == 2)
    half_disc = lambda w: 2 * (pi * w * w / 2 * (w * w / 4 + H * H / 4) + H * mpf(2) / 3 * w ** 3)
    at = lambda u: (2 * w(u) * H + pi * w(u) ** 2, 2 * w(u) ** 3 / 3 * H + pi * w(u) ** 4 / 4,
                    2 * w(u) * H ** 3 / 12 + half_disc(w(u)))
    return shift(slices([-r, -t[2]], at, F), t), at(-t[2])[0]


def torus_flat(p, R, t):
    M, r = mpf(p[0]), mpf(p[1])
    w = lambda u: sqrt(max(mpf(0), r * r - u * u))
    at = lambda u: (4 * pi * M * w(u), 2 * pi * M * w(u) * (M * M + w(u) ** 2),
                    2 * pi * M * w(u) * (M * M + w(u) ** 2))
    return shift(slices([-r, -t[2]], at, mp.eye(3)), t), at(-t[2])[0]


def row(kind, function, p, t, q):
    moments, area = function(p, rotation(q), matrix([mpf(v) for v in t]))
    V, first, second = moments
    centroid = first / V
    reference = [float(v) for v in centroid]
    _, _, central = about(moments, centroid)
    J = mp.eye(3) * (central[0, 0] + central[1, 1] + central[2, 2]) - central
    out = [V] + [centroid[i] - mpf(reference[i]) for i in range(3)]
    out += [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2], area]
    out = [mp.nstr(v, 20) for v in out]
    numbers = [repr(float(v)) for v in list(p) + list(t) + list(q)]
    print(','.join([kind] + numbers + out[:1] + [repr(v) for v in reference] + out[1:]))


def quaternion(axis, angle):
    n = math.sqrt(sum(v * v for v in axis))
    return [math.cos(angle / 2)] + [math.sin(angle / 2) * v / n for v in axis]


def reach(kind, p, q):
    R = rotation(q)
    if kind == 'ellipsoid':
        return sqrt(sum((mpf(p[i]) * R[2, i]) ** 2 for i in range(3)))
    if kind == 'cylinder':
        c = abs(R[2, 2])
        return mpf(p[0]) * sqrt(1 - c * c) + c * mpf(p[1]) / 2
    if kind == 'cone':
        return -R[2, 2] * mpf(p[1])
    return mpf(p[0]) if kind == 'capsule' else mpf(p[1])


DEPTHS = [1.9, 1.0, 0.3, 1e-2, 1e-4, 1e-8]


def sweep(kind, function, p, q, depths=DEPTHS, unit=None):
    w = reach(kind, p, q)
    for d in depths:
        t = [0.25, -0.125, float(w - d * (w if unit is None else mpf(unit)))]
        row(kind, function, p, t, q)


def main():
    for p in ([0.5, 0.5, 0.5], [0.5, 0.3, 0.2], [1.0, 0.01, 0.1]):
        sweep('ellipsoid', ellipsoid, p, [0.2, 0.4, 0.4, 0.8])
    tilts = [0.0, 1e-6, 1e-2, 0.3, math.pi / 4, 1.2, math.pi / 2 - 1e-6]
    for tilt in tilts:
        sweep('cylinder', cylinder, [0.5, 1.25, 0], quaternion([1, 0.5, 0], tilt))
        sweep('cylinder', cylinder, [0.02, 3.0, 0], quaternion([1, 2, 0], tilt), [1.0, 1e-2, 1e-8])
        sweep('cylinder', cylinder, [2.0, 0.05, 0], quaternion([1, 2, 0], math.pi - tilt),
              [1.0, 1e-2, 1e-8])
    lying = [math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0]
    sweep('cylinder', cylinder, [0.5, 1.25, 0], lying)
    sweep('capsule', capsule_lying, [0.5, 1.25, 0], lying)
    sweep('torus', torus_flat, [0.5, 0.125, 0], [1.0, 0.0, 0.0, 0.0])
    for tilt in (0.0, 0.2, 0.6):
        sweep('cone', cone_tip, [0.5, 1.0, 0], quaternion([1, 2, 0], math.pi - tilt),
              [0.3, 1e-2, 1e-4, 1e-8], 1.0)


if __name__ == '__main__':
    main()
