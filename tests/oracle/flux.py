"""Double-precision surface-flux engine of the oracle (see generate.py for the method).

The boundary of T = (A and B) is cut into curves u = const on each elementary surface (generator
lines / circles / ellipses).  On each curve every crossing with every other elementary surface is a
root of a polynomial or trigonometric polynomial of degree <= 4, found with companion matrices, so
no crossing is missed.  The arcs that bound T are found by testing arc mid-points in the boolean tree
with the primitive's own truth value set to in / out.  All moments are fluxes (divergence theorem):
   V = oint x.n/3,   int x_i = oint x_i x.n/4,   int x_i x_j = oint x_i x_j x.n/5.
The outer integral in u is split at all events (changes of the labelled arc structure, bisected to
round-off), mapped by sin so that square-root end points become analytic, and done by adaptive Gauss.
"""
import numpy as np
from numpy.polynomial.legendre import leggauss

GL = {n: leggauss(n) for n in (4, 16, 20, 24)}


def rotm(q):
    w, x, y, z = [np.longdouble(v) for v in q]
    n = w*w+x*x+y*y+z*z
    R = np.array([[w*w+x*x-y*y-z*z, 2*(x*y-w*z), 2*(x*z+w*y)],
                  [2*(x*y+w*z), w*w-x*x+y*y-z*z, 2*(y*z-w*x)],
                  [2*(x*z-w*y), 2*(y*z+w*x), w*w-x*x-y*y+z*z]])/n
    return R


KEYS = ["sphere", "ellipsoid", "box", "cylinder", "cone", "capsule", "torus", "half_space", "slab",
        "union", "intersection", "difference", "complement"]


def key_of(s):
    k = [k for k in s if k in KEYS]
    assert len(k) == 1, s
    return k[0]


def pose_of(s):
    p = s.get("pose", {})
    q = p.get("q", [1, 0, 0, 0])
    t = np.array([np.longdouble(v) for v in p.get("t", [0, 0, 0])])
    return rotm(q), t


# ------------------------------------------------------------------ surfaces
class Quadric:
    deg = 2

    def __init__(s, M, b, c):
        s.M, s.b, s.c = M, b, c

    def f(s, P):
        return ((P @ s.M)*P).sum(-1)+2*(P @ s.b)+s.c

    def line(s, O, D):
        return np.stack([((D @ s.M)*D).sum(-1), 2*((D @ s.M)*O).sum(-1)+2*(D @ s.b), s.f(O)], -1)


class Plane:
    deg = 1

    def __init__(s, n, d):
        s.n, s.d = n, d

    def f(s, P):
        return P @ s.n-s.d

    def line(s, O, D):
        return np.stack([D @ s.n, s.f(O)], -1)


class TorusS:
    deg = 4

    def __init__(s, R, t, a, r):
        s.R, s.t, s.a, s.r = R, t, a, r

    def f(s, P):
        L = (P-s.t) @ s.R
        rho = np.hypot(L[..., 0], L[..., 1])
        return ((rho-s.a)**2+L[..., 2]**2-s.r**2)*((rho+s.a)**2+L[..., 2]**2-s.r**2)

    def line(s, O, D):
        o = (O-s.t) @ s.R
        d = D @ s.R
        A, B, C = (d*d).sum(-1), 2*(o*d).sum(-1), (o*o).sum(-1)+s.a**2-s.r**2
        a2, b2, c2 = d[..., 0]**2+d[..., 1]**2, 2*(o[..., 0]*d[..., 0]+o[..., 1]*d[..., 1]), o[..., 0]**2+o[..., 1]**2
        k = 4*s.a**2
        return np.stack([A*A, 2*A*B, B*B+2*A*C-k*a2, 2*B*C-k*b2, C*C-k*c2], -1)


def quad_local(R, t, Dm, kz, c):
    """local quadric x'diag(Dm)x + 2*kz*z + c in the frame R,t -> world"""
    M = R @ np.diag(Dm) @ R.T
    g = R @ np.array([0, 0, kz])
    b = -M @ t+g
    return Quadric(M, b, t @ M @ t-2*g @ t+c)


# ------------------------------------------------------------------ curve families
def frame_of(n, phi):
    n = n/np.linalg.norm(n)
    a = np.eye(3)[np.argmin(abs(n))]
    e1 = np.cross(n, a)
    e1 /= np.linalg.norm(e1)
    e2 = np.cross(n, e1)
    return np.cos(phi)*e1+np.sin(phi)*e2, -np.sin(phi)*e1+np.cos(phi)*e2


class PlaneFam:
    kind = "line"

    def __init__(s, n, d, L, phi):
        s.n = n
        s.p0 = n*d
        s.e1, s.e2 = frame_of(n, phi)
        s.u = (-L, L)
        s.v = (-L, L)

    def curve(s, u):
        return s.p0+u[:, None]*s.e1, np.broadcast_to(s.e2, (len(u), 3))

    def N(s, u, v, P):
        return np.broadcast_to(s.n, P.shape)


class EllFam:
    kind = "circle"
    u = (-1., 1.)

    def __init__(s, C, L, v0):
        s.C, s.L = C, L
        s.cof = np.linalg.det(L)*np.linalg.inv(L).T
        s.v = (v0, v0+2*np.pi)

    def curve(s, u):
        q = np.sqrt(np.maximum(0, (1-u)*(1+u)))[:, None]
        return s.C+u[:, None]*s.L[:, 2], q*s.L[:, 0], q*s.L[:, 1]

    def N(s, u, v, P):
        q = np.sqrt(np.maximum(0, (1-u)*(1+u)))
        w = np.stack([q*np.cos(v), q*np.sin(v), u+0*v], -1)
        return w @ s.cof.T


class ConeLines:
    kind = "line"

    def __init__(s, R, t, r, k, zlo, zhi, u0):
        s.R, s.t, s.r, s.k = R, t, r, k
        s.u = (u0, u0+2*np.pi)
        s.v = (zlo, zhi)

    def curve(s, u):
        c = np.stack([np.cos(u), np.sin(u), 0*u], -1)
        return (s.r*c) @ s.R.T+s.t, (s.k*c+np.array([0, 0, 1.])) @ s.R.T

    def N(s, u, v, P):
        n = np.stack([np.cos(u)+0*v, np.sin(u)+0*v, -s.k+0*v+0*u], -1)
        return ((s.r+s.k*v)[..., None]*n) @ s.R.T


class ConeCircles:
    kind = "circle"

    def __init__(s, R, t, r, k, zlo, zhi, v0):
        s.R, s.t, s.r, s.k = R, t, r, k
        s.u = (zlo, zhi)
        s.v = (v0, v0+2*np.pi)

    def curve(s, u):
        rho = (s.r+s.k*u)[:, None]
        return s.t+u[:, None]*s.R[:, 2], rho*s.R[:, 0], rho*s.R[:, 1]

    def N(s, u, v, P):
        n = np.stack([np.cos(v), np.sin(v), -s.k+0*v], -1)
        return ((s.r+s.k*u)[..., None]*n) @ s.R.T


class TorusFam:
    kind = "circle"

    def __init__(s, R, t, a, r, merid, u0, v0):
        s.R, s.t, s.a, s.r, s.m = R, t, a, r, merid
        s.u = (u0, u0+2*np.pi)
        s.v = (v0, v0+2*np.pi)

    def curve(s, u):
        c, d, z = np.cos(u), np.sin(u), 0*u
        if s.m:  # u = theta, v = phi
            e = np.stack([c, d, z], -1) @ s.R.T
            return s.t+s.a*e, s.r*e, np.broadcast_to(s.r*s.R[:, 2], e.shape)
        rho = (s.a+s.r*c)[:, None]
        return s.t+(s.r*d)[:, None]*s.R[:, 2], rho*s.R[:, 0], rho*s.R[:, 1]

    def N(s, u, v, P):
        th, ph = (u+0*v, v) if s.m else (v, u+0*v)
        n = np.stack([np.cos(ph)*np.cos(th), np.cos(ph)*np.sin(th), np.sin(ph)], -1)
        return (s.r*(s.a+s.r*np.cos(ph))[..., None]*n) @ s.R.T


# ------------------------------------------------------------------ primitives and tree
class Scene:
    """tree(a and b) with origin shifted to `org`; families chosen by mode (0/1) and rng"""

    def __init__(s, a, b, org, Lb, mode, rng, ctr=None):
        s.surf, s.patches, s.prims = [], [], []
        s.org, s.L, s.mode, s.rng = np.array(org, dtype=np.longdouble), Lb, mode, rng
        s.side = 0
        ta = s.build(a, np.eye(3, dtype=np.longdouble), -s.org)
        s.side = 1
        tb = s.build(b, np.eye(3, dtype=np.longdouble), -s.org)
        s.tree = ("and", [ta, tb])

    def add(s, sf):
        s.surf.append(sf)
        return len(s.surf)-1

    def build(s, o, R0, t0):
        R1, t1 = pose_of(o)
        R, t = R0 @ R1, R0 @ t1+t0
        k = key_of(o)
        v = o[k]
        if k in ("union", "intersection"):
            return ("or" if k == "union" else "and", [s.build(c, R, t) for c in v])
        if k == "difference":
            ch = [s.build(c, R, t) for c in v]
            return ("and", [ch[0]]+[("not", c) for c in ch[1:]])
        if k == "complement":
            return ("not", s.build(v, R, t))
        return s.prim(k, v, R.astype(float), t.astype(float))

    def prim(s, k, v, R, t):
        pid = len(s.prims)
        ez = R[:, 2]
        rng, L, m = s.rng, s.L, s.mode
        ph = lambda: rng.uniform(0, 2*np.pi)
        cons = []  # surfaces ids, all <= 0
        pt = []    # (surf id, family, list of other constraint ids or (custom sign list))

        def plane(n, d):
            i = s.add(Plane(n, d))
            fam = PlaneFam(n, d, L, ph()) if abs(d) < L else None
            return i, fam

        def convex(items):
            ids = [i for i, _ in items]
            for i, f in items:
                if f is not None:
                    pt.append((i, f, [(j, 1) for j in ids if j != i]))
            s.prims.append(("all", ids))

        if k in ("sphere", "ellipsoid"):
            ax = np.array(v["semi_axes"] if k == "ellipsoid" else [v["radius"]]*3, float)
            i = s.add(quad_local(R, t, 1/ax**2, 0., -1.))
            Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            if np.linalg.det(Q) < 0:
                Q[:, 0] *= -1
            convex([(i, EllFam(t, R @ np.diag(ax) @ Q, ph()))])
        elif k == "box":
            h = np.array(v["size"], float)/2
            convex([plane(sg*R[:, j], sg*R[:, j] @ t+h[j]) for j in range(3) for sg in (1, -1)])
        elif k == "slab":
            convex([plane(sg*ez, sg*ez @ t+v["thickness"]/2) for sg in (1, -1)])
        elif k == "half_space":
            convex([plane(ez, ez @ t)])
        elif k in ("cylinder", "cone"):
            if k == "cone":
                r, h = float(v["radius"]), float(v["height"])
                kk = (v.get("radius_top", 0)-r)/h
                zl, zh = 0., h
            else:
                r, kk, h = float(v["radius"]), 0., v.get("height")
                zl, zh = (-h/2, h/2) if h is not None else (-ez @ t-L, -ez @ t+L)
            i = s.add(quad_local(R, t, np.array([1, 1, -kk*kk]), -r*kk, -r*r))
            F = ConeLines if m == 0 else ConeCircles
            it = [(i, F(R, t, r, kk, zl, zh, ph()))]
            if h is not None:
                it += [plane(ez, ez @ t+zh), plane(-ez, -ez @ t-zl)]
            convex(it)
        elif k == "capsule":
            r, h = float(v["radius"]), float(v["height"])
            ic = s.add(quad_local(R, t, np.array([1, 1, 0.]), 0., -r*r))
            ip = s.add(Plane(ez, ez @ t+h/2))
            im = s.add(Plane(-ez, -ez @ t+h/2))
            sp = []
            for sg in (1, -1):
                c = t+sg*h/2*ez
                Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
                if np.linalg.det(Q) < 0:
                    Q[:, 0] *= -1
                i = s.add(quad_local(R, c, np.ones(3)/r**2, 0., -1.))
                sp.append(i)
                pt.append((i, EllFam(c, r*(R @ Q), ph()), [(ip if sg > 0 else im, -1)]))
            F = ConeLines if m == 0 else ConeCircles
            pt.append((ic, F(R, t, r, 0., -h/2, h/2, ph()), [(ip, 1), (im, 1)]))
            s.prims.append(("cap", [ic, ip, im]+sp))
        elif k == "torus":
            a, r = float(v["major_radius"]), float(v["minor_radius"])
            i = s.add(TorusS(R, t, a, r))
            convex([(i, TorusFam(R, t, a, r, m == 0, ph(), ph()))])
        else:
            raise ValueError(k)
        for p in pt:
            s.patches.append((pid, s.side)+p)
        return ("p", pid)

    def pin(s, pid, f):
        k, ids = s.prims[pid]
        if k == "all":
            r = f(ids[0]) <= 0
            for i in ids[1:]:
                r = r & (f(i) <= 0)
            return r
        ic, ip, im, s1, s2 = ids
        return ((f(ic) <= 0) & (f(ip) <= 0) & (f(im) <= 0)) | (f(s1) <= 0) | (f(s2) <= 0)

    def ev(s, node, f, own, val):
        k = node[0]
        if k == "p":
            if node[1] == own:
                return val
            return s.pin(node[1], f)
        if k == "not":
            return ~s.ev(node[1], f, own, val)
        r = s.ev(node[1][0], f, own, val)
        for c in node[1][1:]:
            q = s.ev(c, f, own, val)
            r = (r & q) if k == "and" else (r | q)
        return r


# ------------------------------------------------------------------ roots
def comp_roots(c):
    """roots of polynomials c (n,d+1), highest first, complex; nan padded"""
    n, d1 = c.shape
    out = np.full((n, d1-1), np.nan, complex)
    mx = np.abs(c).max(1)
    left = mx > 0
    for lead in range(d1-1):
        ok = left & (np.abs(c[:, lead]) > 1e-13*mx)
        left = left & ~ok
        if ok.any():
            d = d1-1-lead
            cc = c[ok][:, lead:]
            cc = cc[:, 1:]/cc[:, :1]
            if d == 1:
                out[ok, 0] = -cc[:, 0]
            else:
                A = np.zeros((cc.shape[0], d, d), c.dtype)
                A[:, 0, :] = -cc
                A[:, np.arange(1, d), np.arange(d-1)] = 1
                out[ok, :d] = np.linalg.eigvals(A)
    return out


def line_roots(sf, O, D, vlo, vhi):
    c = sf.line(O, D)
    if sf.deg == 1:
        with np.errstate(all="ignore"):
            r = (-c[:, 1]/c[:, 0])[:, None]
        return np.where(np.isfinite(r), r, np.nan)
    if sf.deg == 2:
        a, b, cc = c.T
        with np.errstate(all="ignore"):
            disc = b*b-4*a*cc
            disc = np.where(disc < 0, np.where(disc > -1e-13*(b*b+abs(a*cc)), 0, np.nan), disc)
            q = -0.5*(b+np.where(b >= 0, 1, -1)*np.sqrt(disc))
            r = np.stack([q/a, cc/q], -1)
        return np.where(np.isfinite(r), r, np.nan)
    # quartic: rescale v by half-range about the middle
    m, h = (vlo+vhi)/2, (vhi-vlo)/2
    c = sf.line(O+m*D, D*h)
    z = comp_roots(c)
    x = z.real.copy()
    x[np.abs(z.imag) > 1e-2*(1e-2+np.abs(z.real))] = np.nan
    cp = [c[:, i][:, None] for i in range(5)]
    for _ in range(4):
        f = (((cp[0]*x+cp[1])*x+cp[2])*x+cp[3])*x+cp[4]
        g = ((4*cp[0]*x+3*cp[1])*x+2*cp[2])*x+cp[3]
        with np.errstate(all="ignore"):
            dx = f/g
        dx = np.where(np.abs(dx) < 1e-3, dx, 0)
        x = x-dx
    return m+h*x


def circ_roots(sf, C, E1, E2, v0):
    d = sf.deg
    if d == 1:
        a, b, c = E1 @ sf.n, E2 @ sf.n, sf.f(C)
        h = np.hypot(a, b)
        with np.errstate(all="ignore"):
            k = -c/h
            # acos via atan2 for accuracy
            s = np.sqrt((1-k)*(1+k))
            w = np.arctan2(s, k)
        p = np.arctan2(b, a)
        r = np.stack([p-w, p+w], -1)
    else:
        K = 2*d+2
        vs = 2*np.pi*np.arange(K)/K
        P = C[:, None]+np.cos(vs)[None, :, None]*E1[:, None]+np.sin(vs)[None, :, None]*E2[:, None]
        F = np.fft.fft(sf.f(P), axis=1)/K           # F[:,k] coefficient of e^{ikv}
        idx = np.arange(d, -d-1, -1)
        co = F[:, idx % K]
        # group by effective trigonometric degree
        mx = np.abs(co).max(1)
        r = np.full((len(C), 2*d), np.nan)
        left = mx > 0
        for e in range(d, 0, -1):
            ok = left & (np.abs(co[:, d-e]) > 1e-13*mx)
            left &= ~ok
            if ok.any():
                z = comp_roots(co[ok][:, d-e:d+e+1])
                with np.errstate(all="ignore"):
                    near = np.abs(np.log(np.abs(z))) < 2e-2
                x = np.where(near, np.angle(z), np.nan)
                cf = co[ok]
                # f = c0 + 2 Re sum c_k e^{ikv}
                for _ in range(4):
                    f = cf[:, d].real[:, None]+0*x
                    g = 0*x
                    for kk in range(1, d+1):
                        ck = cf[:, d-kk][:, None]
                        E = np.exp(1j*kk*x)*ck
                        f = f+2*E.real
                        g = g-2*kk*E.imag
                    with np.errstate(all="ignore"):
                        dx = f/g
                    x = x-np.where(np.abs(dx) < 1e-2, dx, 0)
                r[ok, :2*e] = x
    return v0+np.mod(r-v0, 2*np.pi)


# ------------------------------------------------------------------ arcs on curves
def arcs(sc, patch, u):
    pid, side, sid, fam, cons = patch
    n = len(u)
    cur = fam.curve(u)
    lo, hi = fam.v
    rts, lab = [np.full((n, 1), lo)], [np.full(1, -1)]
    for j, sf in enumerate(sc.surf):
        if j == sid:
            continue
        r = line_roots(sf, *cur, lo, hi) if fam.kind == "line" else circ_roots(sf, *cur, lo)
        rts.append(r)
        lab.append(np.full(r.shape[1], j))
    rts.append(np.full((n, 1), hi))
    lab.append(np.full(1, -2))
    r = np.concatenate(rts, 1)
    lab = np.concatenate(lab)
    bad = ~((r >= lo) & (r <= hi))
    r = np.where(bad, lo, r)
    o = np.argsort(r, 1, kind="stable")
    r = np.take_along_axis(r, o, 1)
    lb = np.where(np.take_along_axis(bad, o, 1), -1, lab[o])
    mid = (r[:, 1:]+r[:, :-1])/2
    P = points(fam, cur, mid)
    cache = {}

    def f(i):
        if i not in cache:
            cache[i] = sc.surf[i].f(P)
        return cache[i]
    ok = np.ones(mid.shape, bool)
    for j, sg in cons:
        ok &= (f(j)*sg <= 0)
    T = np.ones(mid.shape, bool)
    tin, tout = sc.ev(sc.tree, f, pid, T), sc.ev(sc.tree, f, pid, ~T)
    st = np.where(ok, tin.astype(int)-tout.astype(int), 0)
    w = r[:, 1:]-r[:, :-1]
    st = np.where(w > 1e-13*(hi-lo), st, 9)
    return cur, r, lb, st


def points(fam, cur, v):
    if fam.kind == "line":
        return cur[0][:, None]+v[..., None]*cur[1][:, None]
    return cur[0][:, None]+np.cos(v)[..., None]*cur[1][:, None]+np.sin(v)[..., None]*cur[2][:, None]


def signatures(sc, patch, u):
    cur, r, lb, st = arcs(sc, patch, u)
    out = []
    for i in range(len(u)):
        sig, prev = [], 0
        nz = np.nonzero(st[i] != 9)[0]
        for j in nz:
            s_ = st[i, j]
            if s_ != prev:
                sig.append((int(lb[i, j]), int(s_)))
                prev = s_
        if prev:
            sig.append((int(lb[i, -1]), 0))
        out.append(tuple(sig))
    return out


def Fint(sc, patch, u):
    """inner integrals at u: (n,13) = moments 1,x,y,z,xx,yy,zz,xy,xz,yz as flux, and normal"""
    pid, side, sid, fam, cons = patch
    res = np.zeros((len(u), 14))
    CH = 400
    for s0 in range(0, len(u), CH):
        uu = u[s0:s0+CH]
        cur, r, lb, st = arcs(sc, patch, uu)
        I, J = np.nonzero((st == 1) | (st == -1))
        if len(I) == 0:
            continue
        x, w = GL[4 if fam.kind == "line" else 24]
        a, b = r[I, J], r[I, J+1]
        v = (a+b)[:, None]/2+(b-a)[:, None]/2*x
        ww = (b-a)[:, None]/2*w*st[I, J][:, None]
        c2 = [c[I] for c in cur]
        P = points(fam, c2, v)
        N = fam.N(uu[I][:, None], v, P)
        xn = (P*N).sum(-1)*ww
        X, Y, Z = P[..., 0], P[..., 1], P[..., 2]
        cols = [xn/3, xn*X/4, xn*Y/4, xn*Z/4, xn*X*X/5, xn*Y*Y/5, xn*Z*Z/5, xn*X*Y/5, xn*X*Z/5, xn*Y*Z/5,
                ww*N[..., 0], ww*N[..., 1], ww*N[..., 2], np.abs(ww)*np.sqrt((N*N).sum(-1))]
        for k, cc in enumerate(cols):
            res[s0:s0+CH, k] += np.bincount(I, cc.sum(1), minlength=len(uu))
    return res


def events(sc, patch, nu):
    lo, hi = patch[3].u
    u = lo+(hi-lo)*(np.arange(nu)+0.5)/nu
    u = np.concatenate([[lo+1e-12*(hi-lo)], u, [hi-1e-12*(hi-lo)]])
    sg = signatures(sc, patch, u)
    work = [(u[i], u[i+1], sg[i], sg[i+1]) for i in range(len(u)-1) if sg[i] != sg[i+1]]
    ev = []
    tol = 4e-16*max(abs(lo), abs(hi), hi-lo)
    rounds = 0
    while work and rounds < 12:
        rounds += 1
        a = np.array([w[0] for w in work])
        b = np.array([w[1] for w in work])
        sa = [w[2] for w in work]
        sb = [w[3] for w in work]
        sb0, b0 = list(sb), b.copy()
        for _ in range(60):
            act = np.nonzero(b-a > tol)[0]
            if len(act) == 0:
                break
            m = (a[act]+b[act])/2
            sm = signatures(sc, patch, m)
            for k, i in enumerate(act):
                if sm[k] == sa[i]:
                    a[i] = m[k]
                else:
                    b[i] = m[k]
                    sb[i] = sm[k]
        ev += list((a+b)/2)
        work = [(b[i], b0[i], sb[i], sb0[i]) for i in range(len(a))
                if sb[i] != sb0[i] and b0[i]-b[i] > 1e-11*(hi-lo)]
    return sorted(ev), u, sg


def integrate_patch(sc, patch, nu, tol, scale, nq=16, maxlev=14):
    ev, u, sg = events(sc, patch, nu)
    lo, hi = patch[3].u
    ends = [lo]+[e for e in ev]+[hi]
    seg = [(a, b) for a, b in zip(ends[:-1], ends[1:]) if b-a > 1e-14*(hi-lo)]
    # drop empty segments (no sample with arcs and none at the middle)
    keep = []
    if seg:
        sm = signatures(sc, patch, np.array([(a+b)/2 for a, b in seg]))
        keep = [s_ for s_, q in zip(seg, sm) if q]
    tot, err = np.zeros(14), np.zeros(14)
    if not keep:
        return tot, err
    x, w = GL[nq]

    def panels(S, ta, tb):
        """S: (k,2) segments, ta,tb in [-1,1]"""
        t = (ta+tb)[:, None]/2+(tb-ta)[:, None]/2*x
        m, h = (S[:, 0]+S[:, 1])/2, (S[:, 1]-S[:, 0])/2
        # u = m + h sin(pi t/2), written from the nearer end to keep digits
        neg = t < 0
        d = 2*np.sin(np.pi/4*(1-np.abs(t)))**2     # 1-|sin|
        uu = np.where(neg, S[:, :1]+h[:, None]*d, S[:, 1:]-h[:, None]*d)
        jac = h[:, None]*np.pi/2*np.cos(np.pi/2*t)*(tb-ta)[:, None]/2*w
        F = Fint(sc, patch, uu.ravel()).reshape(uu.shape+(14,))
        return (F*jac[..., None]).sum(1)
    S = np.array(keep)
    ta, tb = -np.ones(len(S)), np.ones(len(S))
    I = panels(S, ta, tb)
    for lev in range(maxlev):
        tm = (ta+tb)/2
        S2 = np.concatenate([S, S])
        a2, b2 = np.concatenate([ta, tm]), np.concatenate([tm, tb])
        I2 = panels(S2, a2, b2)
        k = len(S)
        sm = I2[:k]+I2[k:]
        e = np.abs(sm-I)
        done = (e <= tol*scale).all(1) | (lev == maxlev-1)
        tot += sm[done].sum(0)
        err += e[done].sum(0)
        nd = np.concatenate([~done, ~done])
        S, ta, tb, I = S2[nd], a2[nd], b2[nd], I2[nd]
        if len(S) == 0:
            break
    return tot, err


def bound(o, R0=None, t0=None):
    """bounding ball (centre, radius) or None if unbounded"""
    if R0 is None:
        R0, t0 = np.eye(3), np.zeros(3)
    R1, t1 = pose_of(o)
    R1, t1 = R1.astype(float), t1.astype(float)
    R, t = R0 @ R1, R0 @ t1+t0
    k = key_of(o)
    v = o[k]
    if k == "sphere":
        return t, v["radius"]
    if k == "ellipsoid":
        return t, max(v["semi_axes"])
    if k == "box":
        return t, np.linalg.norm(v["size"])/2
    if k == "cylinder":
        return None if "height" not in v else (t, np.hypot(v["radius"], v["height"]/2))
    if k == "cone":
        return t+R[:, 2]*v["height"]/2, np.hypot(max(v["radius"], v.get("radius_top", 0)), v["height"]/2)
    if k == "capsule":
        return t, v["radius"]+v["height"]/2
    if k == "torus":
        return t, v["major_radius"]+v["minor_radius"]
    if k in ("half_space", "slab", "complement"):
        return None
    if k == "difference":
        return bound(v[0], R, t)
    bs = [bound(c, R, t) for c in v]
    if k == "intersection":
        bs = [b for b in bs if b is not None]
        return min(bs, key=lambda b: b[1]) if bs else None
    if any(b is None for b in bs):
        return None
    c = sum(b[0] for b in bs)/len(bs)
    return c, max(np.linalg.norm(b[0]-c)+b[1] for b in bs)


def finish(m, org):
    """raw moments about org (10) -> V, centroid, J list"""
    V = m[0]
    c = m[1:4]/V
    xx, yy, zz = m[4]-V*c[0]**2, m[5]-V*c[1]**2, m[6]-V*c[2]**2
    xy, xz, yz = m[7]-V*c[0]*c[1], m[8]-V*c[0]*c[2], m[9]-V*c[1]*c[2]
    return V, org+c, np.array([yy+zz, xx+zz, xx+yy, -xy, -xz, -yz])


def ball(a, b):
    """a ball holding a and b (two unbounded solids: the one written in the case, else radius 3)"""
    bs = [x for x in (bound(a), bound(b)) if x is not None]
    return min(bs, key=lambda x: x[1]) if bs else (np.zeros(3), 3.)


def compute(a, b, mode=0, seed=0, nu=300, org=None, Lb=None):
    """one_run, repeated with more event samples while the boundary does not close (a small feature was missed)"""
    for k in range(4):
        r = one_run(a, b, mode, seed, nu, org=org, Lb=Lb)
        if r["surf"] > 0 and r["closure"] < 1e-12*r["surf"]:
            break
        nu = nu*4+1
    return r


def one_run(a, b, mode=0, seed=0, nu=300, tol=1e-15, org=None, nq=16, Lb=None):
    c, L = ball(a, b)
    c = np.array(c, float)
    L = L*1.000123
    rng = np.random.default_rng(seed+1000*mode)
    # families are laid out for a ball of radius Lb about the origin of the scene; all is clipped to it
    o = c if org is None else np.array(org, float)
    if Lb is None:
        Lb = L+np.linalg.norm(o-c)
    L = min(L, Lb)
    sc = Scene(a, b, o, Lb, mode, rng)
    # scale estimate
    scale = np.array([L**3]+[L**4]*3+[L**5]*6+[L**2]*4)*1e-2
    tots = np.zeros((2, 14))
    err = np.zeros(14)
    for p in sc.patches:
        t, e = integrate_patch(sc, p, nu, tol, scale, nq=nq)
        tots[p[1]] += t
        err += e
    m = tots.sum(0)
    Nb = tots[1, 10:13]
    if m[0] <= 0:
        return dict(V=m[0], area=Nb, closure=np.abs(m[10:13]).max(), err=err, c=o, J=np.zeros(6), org=o, areaA=-tots[0, 10:13],
                    surf=m[13])
    V, cen, J = finish(m, o)
    return dict(V=V, c=cen, J=J, area=Nb, areaA=-tots[0, 10:13], closure=np.abs(m[10:13]).max(), err=err, org=o, surf=m[13])


# ------------------------------------------------------------------ independent membership and columns
def inside(o, P, R0=None, t0=None):
    """point membership straight from the JSON"""
    R1, t1 = pose_of(o)
    p = (P-t1.astype(float)) @ R1.astype(float)
    k = key_of(o)
    v = o[k]
    if k == "union":
        r = inside(v[0], p)
        for c in v[1:]:
            r |= inside(c, p)
        return r
    if k == "intersection":
        r = inside(v[0], p)
        for c in v[1:]:
            r &= inside(c, p)
        return r
    if k == "difference":
        r = inside(v[0], p)
        for c in v[1:]:
            r &= ~inside(c, p)
        return r
    if k == "complement":
        return ~inside(v, p)
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    if k == "sphere":
        return x*x+y*y+z*z <= v["radius"]**2
    if k == "ellipsoid":
        A, B, C = v["semi_axes"]
        return (x/A)**2+(y/B)**2+(z/C)**2 <= 1
    if k == "box":
        A, B, C = v["size"]
        return (abs(x) <= A/2) & (abs(y) <= B/2) & (abs(z) <= C/2)
    if k == "cylinder":
        r = x*x+y*y <= v["radius"]**2
        return r & (abs(z) <= v["height"]/2) if "height" in v else r
    if k == "cone":
        t = z/v["height"]
        return (t >= 0) & (t <= 1) & (np.hypot(x, y) <= v["radius"]+(v.get("radius_top", 0)-v["radius"])*t)
    if k == "capsule":
        zz = np.maximum(abs(z)-v["height"]/2, 0)
        return x*x+y*y+zz*zz <= v["radius"]**2
    if k == "torus":
        return (np.hypot(x, y)-v["major_radius"])**2+z*z <= v["minor_radius"]**2
    if k == "half_space":
        return z <= 0
    if k == "slab":
        return abs(z) <= v["thickness"]/2
    raise ValueError(k)


def leaf_surfaces(a, b, org):
    sc = Scene(a, b, org, 1., 0, np.random.default_rng(0))
    return sc.surf


def columns(a, b, n=500, seed=0, full=False):
    """brute force: exact interval lines on an n x n randomly rotated and shifted lattice"""
    rng = np.random.default_rng(seed)
    c, L = ball(a, b)
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    # tight extent from a coarse scan
    g = np.linspace(-L, L, 97)
    G = np.stack(np.meshgrid(g, g, g, indexing="ij"), -1).reshape(-1, 3)
    W = G @ Q.T+c
    ok = inside(a, W) & inside(b, W)
    if full or ok.sum() < 5:
        lo, hi = -L*np.ones(3), L*np.ones(3)
    else:
        d = 2*L/96*2.5
        lo, hi = G[ok].min(0)-d, G[ok].max(0)+d
    lo, hi = np.maximum(lo, -1.001*L), np.minimum(hi, 1.001*L)
    hx, hy = (hi[0]-lo[0])/n, (hi[1]-lo[1])/n
    surf = leaf_surfaces(a, b, c)
    D = Q[:, 2]
    tot = np.zeros(10)
    ys = lo[1]+hy*(np.arange(n)+rng.uniform())
    sh = rng.uniform()
    rows = max(1, 20000//n)
    for i0 in range(0, n, rows):
        xs = lo[0]+hx*(np.arange(i0, min(n, i0+rows))+sh)
        X, Y = [q.ravel() for q in np.meshgrid(xs, ys, indexing="ij")]
        O = X[:, None]*Q[:, 0]+Y[:, None]*Q[:, 1]
        Db = np.broadcast_to(D, O.shape)
        r = [line_roots(sf, O, Db, lo[2], hi[2]) for sf in surf]
        r = np.concatenate([np.full((len(O), 1), lo[2]), np.full((len(O), 1), hi[2])]+r, 1)
        r = np.clip(np.where(np.isnan(r), lo[2], r), lo[2], hi[2])
        r.sort(1)
        w = r[:, 1:]-r[:, :-1]
        m = (r[:, 1:]+r[:, :-1])/2
        I, J = np.nonzero(w > 0)
        P = O[I]+m[I, J][:, None]*D+c
        ok = inside(a, P) & inside(b, P)
        I, J = I[ok], J[ok]
        w, z = w[I, J], m[I, J]
        x, y = X[I], Y[I]
        wx = [w, w*x, w*y, w*z, w*x*x, w*y*y, w*z*z+w**3/12, w*x*y, w*x*z, w*y*z]
        tot += np.array([q.sum() for q in wx])
    tot *= hx*hy
    V, cl, J = finish(tot, np.zeros(3))
    Jm = np.array([[J[0], J[3], J[4]], [J[3], J[1], J[5]], [J[4], J[5], J[2]]])
    Jw = Q @ Jm @ Q.T
    return dict(V=V, c=c+Q @ cl, J=np.array([Jw[0, 0], Jw[1, 1], Jw[2, 2], Jw[0, 1], Jw[0, 2], Jw[1, 2]]))


def compare(x, y, lx=None):
    """max relative disagreement in V, centroid (by gyration length), J, and separately area"""
    V = abs(y["V"])
    if V == 0:
        return abs(x["V"]), 0.
    g = np.sqrt(np.trace(np.diag(y["J"][:3]))/2/V)
    dV = abs(x["V"]-y["V"])/V
    dc = np.linalg.norm(np.array(x["c"], float)-np.array(y["c"], float))/g
    dJ = np.abs(np.array(x["J"], float)-np.array(y["J"], float)).max()/np.abs(y["J"]).max()
    da = 0.
    if x.get("area") is not None and y.get("area") is not None:
        da = np.linalg.norm(np.array(x["area"], float)-np.array(y["area"], float))/max(1e-300, np.linalg.norm(np.array(y["area"], float)))
    return max(dV, dc, dJ), da
