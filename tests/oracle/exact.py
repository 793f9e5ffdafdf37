"""Multi-precision / exact-rational part of the oracle: thin overlaps and closed forms.
All inputs are taken as the exact doubles given; quaternions are normalised exactly (the rotation matrix
is rational in q)."""
from fractions import Fraction as Fr
import mpmath as mp

mp.mp.dps = 120
M = mp.mpf


def rot(q, num=M):
    w, x, y, z = [num(v) for v in q]
    n = w*w+x*x+y*y+z*z
    return [[(w*w+x*x-y*y-z*z)/n, 2*(x*y-w*z)/n, 2*(x*z+w*y)/n],
            [2*(x*y+w*z)/n, (w*w-x*x+y*y-z*z)/n, 2*(y*z-w*x)/n],
            [2*(x*z-w*y)/n, 2*(y*z+w*x)/n, (w*w-x*x-y*y+z*z)/n]]


def pose(s, num=M):
    p = s.get("pose", {})
    return rot(p.get("q", [1, 0, 0, 0]), num), [num(v) for v in p.get("t", [0, 0, 0])]


def dot(a, b):
    return a[0]*b[0]+a[1]*b[1]+a[2]*b[2]


def mv(R, v):
    return [dot(r, v) for r in R]


def tr(R):
    return [list(c) for c in zip(*R)]


def mm(A, B):
    return [[sum(A[i][k]*B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def result(V, m1, m2, R, t, area):
    """raw moments in a local frame (m2 a 3x3 matrix) -> world V, c, J; area is in world"""
    c = [m/V for m in m1]
    S = [[m2[i][j]-V*c[i]*c[j] for j in range(3)] for i in range(3)]
    S = mm(mm(R, S), tr(R))
    T = S[0][0]+S[1][1]+S[2][2]
    cw = [a+b for a, b in zip(mv(R, c), t)]
    return dict(V=V, c=cw, J=[T-S[0][0], T-S[1][1], T-S[2][2], -S[0][1], -S[0][2], -S[1][2]], area=area)


def hs_plane(h):
    """world plane n.x <= d of a half_space solid"""
    R, t = pose(h)
    n = [R[0][2], R[1][2], R[2][2]]
    k = mp.sqrt(dot(n, n))
    n = [v/k for v in n]
    return n, dot(n, t)


# -------------------------------------------------------------- tanh-sinh on vectors
def tanh_sinh(f, a, b, h):
    """f(x) -> list; nodes given to full precision"""
    if not b > a:
        return None
    m, w = (a+b)/2, (b-a)/2
    tot = None
    k = 0
    N = int(M(4.6)/h)
    for k in range(-N, N+1):
        t = k*h
        s = mp.pi/2*mp.sinh(t)
        x = m+w*mp.tanh(s)
        if not (a < x < b):
            continue
        wt = w*h*mp.pi/2*mp.cosh(t)/mp.cosh(s)**2
        v = f(x)
        if tot is None:
            tot = [wt*y for y in v]
        else:
            for i, y in enumerate(v):
                tot[i] += wt*y
    return tot


def seg(rho, e):
    """moments of {x<=e} in a disc: area, x, xx, yy, chord"""
    if e <= -rho:
        return [M(0)]*5
    if e >= rho:
        A = mp.pi*rho**2
        return [A, M(0), A*rho**2/4, A*rho**2/4, M(0)]
    t2 = (rho-e)*(rho+e)
    t = mp.sqrt(t2)
    al = mp.acos(-e/rho)
    return [rho**2*al+e*t, -2*t2*t/3, rho**4*al/4+e*t*(2*e*e-rho**2)/4, rho**4*al/4+e*t*(5*rho**2-2*e*e)/12, 2*t]


def quadroots(a, b, c):
    if a == 0:
        return [-c/b] if b != 0 else []
    D = b*b-4*a*c
    if D < 0:
        return []
    s = mp.sqrt(D)
    q = -(b+s)/2 if b >= 0 else -(b-s)/2
    r = [q/a]
    if q != 0:
        r.append(c/q)
    return r


def pieces_of(o):
    """solid of revolution as list of (z0,z1,[(sign, rho(z))], [(alpha,beta,gamma)-> breaks fn])"""
    if "sphere" in o:
        r = M(o["sphere"]["radius"])
        return [(-r, r, [(1, lambda z: mp.sqrt((r-z)*(r+z)))], lambda e0, e1: quadroots(e1*e1+1, 2*e0*e1, e0*e0-r*r))]
    if "cylinder" in o:
        r, h = M(o["cylinder"]["radius"]), M(o["cylinder"]["height"])
        return [(-h/2, h/2, [(1, lambda z: r)], lambda e0, e1: quadroots(M(0), e1, e0-r)+quadroots(M(0), e1, e0+r))]
    if "cone" in o:
        r, h, t = M(o["cone"]["radius"]), M(o["cone"]["height"]), M(o["cone"].get("radius_top", 0))
        k = (t-r)/h
        return [(M(0), h, [(1, lambda z: r+k*z)], lambda e0, e1: quadroots(M(0), e1-k, e0-r)+quadroots(M(0), e1+k, e0+r))]
    if "capsule" in o:
        r, h = M(o["capsule"]["radius"]), M(o["capsule"]["height"])/2
        out = [(-h, h, [(1, lambda z: r)], lambda e0, e1: quadroots(M(0), e1, e0-r)+quadroots(M(0), e1, e0+r))]
        for s in (1, -1):
            c = s*h
            a, b = (h, h+r) if s > 0 else (-h-r, -h)
            out.append((a, b, [(1, lambda z, c=c: mp.sqrt(max(M(0), (r-z+c)*(r+z-c))))],
                        lambda e0, e1, c=c: quadroots(e1*e1+1, 2*e0*e1-2*c, e0*e0+c*c-r*r)))
        return out
    if "torus" in o:
        R, r = M(o["torus"]["major_radius"]), M(o["torus"]["minor_radius"])
        w = lambda z: mp.sqrt(max(M(0), (r-z)*(r+z)))

        def br(e0, e1):
            out = []
            for s in (1, -1):   # (e -+ R)^2 = r^2-z^2
                f0 = e0-s*R
                out += quadroots(e1*e1+1, 2*f0*e1, f0*f0-r*r)
            return out
        return [(-r, r, [(1, lambda z: R+w(z)), (-1, lambda z: R-w(z))], br)]
    raise ValueError


def rev_halfspace(o, hs, o_is_b, h=M(1)/32):
    """solid of revolution o against half-space hs"""
    n, d = hs_plane(hs)
    R, t = pose(o)
    nb = mv(tr(R), n)
    cb = d-dot(n, t)
    a = mp.sqrt(nb[0]**2+nb[1]**2)
    assert a > 0
    ex = [nb[0]/a, nb[1]/a, M(0)]
    ey = [-ex[1], ex[0], M(0)]
    ez = [M(0), M(0), M(1)]
    e0, e1 = cb/a, -nb[2]/a
    tot = [M(0)]*8
    for z0, z1, discs, br in pieces_of(o):
        cuts = sorted({z0, z1} | {z for z in br(e0, e1) if z0 < z < z1})

        def f(z):
            e = e0+e1*z
            acc = [M(0)]*5
            for sg, rho in discs:
                s = seg(rho(z), e)
                acc = [p+sg*q for p, q in zip(acc, s)]
            A, X, XX, YY, ch = acc
            return [A, X, z*A, XX, YY, z*z*A, z*X, ch/a]
        for p, q in zip(cuts[:-1], cuts[1:]):
            # skip pieces where nothing is inside
            e = e0+e1*(p+q)/2
            if all(e <= -rho((p+q)/2) for _, rho in discs):
                continue
            v = tanh_sinh(f, p, q, h)
            if v:
                tot = [x+y for x, y in zip(tot, v)]
    V, X, Z, XX, YY, ZZ, XZ, S = tot
    B = tr([ex, ey, ez])  # columns
    m1 = [X, M(0), Z]
    m2 = [[XX, M(0), XZ], [M(0), YY, M(0)], [XZ, M(0), ZZ]]
    sg = -1 if o_is_b else 1
    return result(V, m1, m2, mm(R, B), t, [sg*S*v for v in n])


def cap_ellipsoid(ax, R, t, n, d):
    """ellipsoid and n.x<=d: raw moments about t in world axes, plus section area vector (along n)"""
    L = [[R[i][j]*ax[j] for j in range(3)] for i in range(3)]
    det = ax[0]*ax[1]*ax[2]
    m = mv(tr(L), n)
    k = mp.sqrt(dot(m, m))
    e = [v/k for v in m]
    h = (d-dot(n, t))/k
    if h <= -1:
        return None
    h = min(h, M(1))
    pi = mp.pi
    V = pi*((h-h**3/3)+M(2)/3)
    m1 = pi*((h**2/2-h**4/4)-M(1)/4)
    m2 = pi*((h**3/3-h**5/5)+M(2)/15)
    mt = pi/4*((h-2*h**3/3+h**5/5)+M(8)/15)
    S = [[(m2-mt)*e[i]*e[j]+(mt if i == j else 0) for j in range(3)] for i in range(3)]
    S = mm(mm(L, S), tr(L))
    Le = mv(L, e)
    # cof(L) e = det L^-T e ; L^-T = R diag(1/ax)
    ce = mv([[R[i][j]/ax[j] for j in range(3)] for i in range(3)], e)
    A = det*pi*(1-h*h)
    return V*det, [det*m1*v for v in Le], [[det*v for v in r] for r in S], [A*v for v in ce]


ID = [[M(1), M(0), M(0)], [M(0), M(1), M(0)], [M(0), M(0), M(1)]]


def ellipsoid_halfspace(o, hs, o_is_b):
    n, d = hs_plane(hs)
    R, t = pose(o)
    ax = [M(v) for v in o["ellipsoid"]["semi_axes"]] if "ellipsoid" in o else [M(o["sphere"]["radius"])]*3
    V, m1, m2, A = cap_ellipsoid(ax, R, t, n, d)
    sg = -1 if o_is_b else 1
    return result(V, m1, m2, ID, t, [sg*v for v in A])


def sphere_sphere(a, b):
    ca, cb = pose(a)[1], pose(b)[1]
    ra, rb = M(a["sphere"]["radius"]), M(b["sphere"]["radius"])
    D = [y-x for x, y in zip(ca, cb)]
    l = mp.sqrt(dot(D, D))
    if l >= ra+rb:
        return None
    n = [v/l for v in D]
    e = (l*l+ra*ra-rb*rb)/(2*l)
    d = dot(n, ca)+e
    pa = cap_ellipsoid([ra]*3, ID, ca, [-v for v in n], -d)
    pb = cap_ellipsoid([rb]*3, ID, cb, n, d)
    # shift b to origin ca
    Vb, mb, sb, Ab = pb
    m2 = [[sb[i][j]+mb[i]*D[j]+mb[j]*D[i]+Vb*D[i]*D[j]+pa[2][i][j] for j in range(3)] for i in range(3)]
    m1 = [pa[1][i]+mb[i]+Vb*D[i] for i in range(3)]
    return result(pa[0]+Vb, m1, m2, ID, ca, [-v for v in Ab])


def sphere_cylinder(sph, cyl, cyl_is_b, h=M(1)/32):
    """sphere against (in)finite cylinder, slices perpendicular to the axis are lenses of two discs"""
    R, t = pose(cyl)
    r = M(cyl["cylinder"]["radius"])
    rs = M(sph["sphere"]["radius"])
    c = mv(tr(R), [x-y for x, y in zip(pose(sph)[1], t)])
    D = mp.sqrt(c[0]**2+c[1]**2)
    ex = [c[0]/D, c[1]/D, M(0)]
    ey = [-ex[1], ex[0], M(0)]
    zc = c[2]

    def f(z):        # z relative to zc
        s = mp.sqrt(max(M(0), (rs-z)*(rs+z)))
        if D >= r+s:
            return [M(0)]*8
        if D <= abs(r-s):
            if r < s:
                A, x0, q = mp.pi*r*r, M(0), r
            else:
                A, x0, q = mp.pi*s*s, D, s
            X, XX, YY, ch = A*x0, A*x0*x0+A*q*q/4, A*q*q/4, M(0)
        else:
            e = (D*D+r*r-s*s)/(2*D)
            a1, x1, xx1, yy1, ch = seg(r, -e)
            a2, x2, xx2, yy2, _ = seg(s, e-D)
            A = a1+a2
            X = -x1+x2+D*a2
            XX = xx1+xx2+2*D*x2+D*D*a2
            YY = yy1+yy2
        return [A, X, z*A, XX, YY, z*z*A, z*X, ch]
    zs = {-rs, rs}
    for s in (D-r, D+r, r-D):
        if 0 < s < rs:
            q = mp.sqrt(rs*rs-s*s)
            zs |= {q, -q}
    zs |= {M(0)}
    assert "height" not in cyl["cylinder"]
    zs = sorted(zs)
    tot = [M(0)]*8
    for p, q in zip(zs[:-1], zs[1:]):
        if f((p+q)/2)[0] == 0:
            continue
        tot = [x+y for x, y in zip(tot, tanh_sinh(f, p, q, h))]
    V, X, Z, XX, YY, ZZ, XZ, S = tot
    B = mm(R, tr([ex, ey, [M(0), M(0), M(1)]]))
    org = [a+b for a, b in zip(t, mv(R, [M(0), M(0), zc]))]
    exw = mv(R, ex)
    sg = 1 if cyl_is_b else -1
    return result(V, [X, M(0), Z], [[XX, M(0), XZ], [M(0), YY, M(0)], [XZ, M(0), ZZ]], B, org, [sg*S*v for v in exw])


# -------------------------------------------------------------- exact rational polytopes
def box_faces(o):
    R, t = pose(o, Fr)
    h = [Fr(v)/2 for v in o["box"]["size"]]
    P = {}
    for i in (0, 1):
        for j in (0, 1):
            for k in (0, 1):
                l = [h[0]*(2*i-1), h[1]*(2*j-1), h[2]*(2*k-1)]
                P[i, j, k] = tuple(a+b for a, b in zip(mv(R, l), t))
    F = []
    for ax in range(3):
        for s in (0, 1):
            u, v = (ax+1) % 3, (ax+2) % 3
            ring = []
            for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                ix = [0, 0, 0]
                ix[ax], ix[u], ix[v] = s, a, b
                ring.append(P[tuple(ix)])
            if s == 0:
                ring.reverse()
            F.append((ring, 0))
    return F


def box_planes(o):
    R, t = pose(o, Fr)
    h = [Fr(v)/2 for v in o["box"]["size"]]
    out = []
    for j in range(3):
        n = [R[i][j] for i in range(3)]
        for s in (1, -1):
            m = [s*v for v in n]
            out.append((m, dot(m, t)+h[j]*dot(n, n)))   # n is of unit length exactly (rational rotation)
    return out


def clip(F, n, d, tag):
    out, edges = [], []
    for ring, tg in F:
        s = [dot(n, p)-d for p in ring]
        new, ex, en = [], None, None
        m = len(ring)
        for i in range(m):
            p, q, sp, sq = ring[i], ring[(i+1) % m], s[i], s[(i+1) % m]
            if sp <= 0:
                new.append(p)
            if (sp <= 0) != (sq <= 0):
                a, b, sa, sb = (p, q, sp, sq) if p < q else (q, p, sq, sp)
                x = tuple(u+(v-u)*sa/(sa-sb) for u, v in zip(a, b))
                if not new or new[-1] != x:
                    new.append(x)
                if sp <= 0:
                    ex = x
                else:
                    en = x
        if len(new) >= 2 and new[0] == new[-1]:
            new.pop()
        if len(new) >= 3:
            out.append((new, tg))
        if ex is not None and en is not None and ex != en:
            edges.append((en, ex))     # reversed edge of the cap
    if edges:
        nxt = dict(edges)
        ring = [edges[0][0]]
        while True:
            p = nxt[ring[-1]]
            if p == ring[0]:
                break
            ring.append(p)
        assert len(ring) == len(edges)
        out.append((ring, tag))
    return out


def poly_result(F):
    if len(F) < 4:
        return None
    o = F[0][0][0]
    V = Fr(0)
    m1 = [Fr(0)]*3
    m2 = [[Fr(0)]*3 for _ in range(3)]
    area = [Fr(0)]*3
    clos = [Fr(0)]*3
    for ring, tg in F:
        P = [[a-b for a, b in zip(p, o)] for p in ring]
        for i in range(1, len(P)-1):
            a, b, c = P[0], P[i], P[i+1]
            u = [y-x for x, y in zip(a, b)]
            v = [y-x for x, y in zip(a, c)]
            w = [u[1]*v[2]-u[2]*v[1], u[2]*v[0]-u[0]*v[2], u[0]*v[1]-u[1]*v[0]]
            for k in range(3):
                clos[k] += w[k]/2
                if tg == 1:
                    area[k] += w[k]/2
            T = dot(a, w)/6
            if T == 0:
                continue
            S = [a[k]+b[k]+c[k] for k in range(3)]
            V += T
            for k in range(3):
                m1[k] += T*S[k]/4
                for l in range(3):
                    m2[k][l] += T/20*(a[k]*a[l]+b[k]*b[l]+c[k]*c[l]+S[k]*S[l])
    assert clos == [0, 0, 0] and V > 0
    I = [[Fr(int(i == j)) for j in range(3)] for i in range(3)]
    return result(V, m1, m2, I, list(o), area)


def box_box(a, b):
    F = box_faces(a)
    for n, d in box_planes(b):
        F = clip(F, n, d, 1)
    return poly_result(F)


def box_halfspace(box, hs, box_is_b):
    R, t = pose(hs, Fr)
    n = [R[i][2] for i in range(3)]
    r = poly_result(clip(box_faces(box), n, dot(n, t), 1))
    if box_is_b:
        r["area"] = [-v for v in r["area"]]
    return r


def fl(x):
    """correctly rounded double"""
    return float(x)
