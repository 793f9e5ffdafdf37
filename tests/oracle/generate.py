#!/usr/bin/python3
"""Independent oracle for interference volumes: writes pairs.json and random_csg.json.

METHODS
 (E) exact.py - closed forms and slice integrals in mpmath with 120 digits, from the exact double inputs, quaternions
     normalised exactly; polytopes by clipping in exact rational arithmetic (fractions.Fraction).  Slice integrals are
     tanh-sinh quadratures between exactly computed break points of closed-form disc segments / disc lenses; they
     are repeated with another step and another working precision (100 digits), and compared with method F
     (field flux_check: limited there by rounding over depth).
     Method field: "closed_form", "slices_mp", "rational".
 (F) flux.py - surface fluxes in doubles.  Every elementary surface is swept by lines or circles, all crossings with all
     other surfaces are polynomial roots, arcs are classified in the boolean tree, the outer integral is split
     at bisected events and done by adaptive Gauss after a sin map.  Run three times with different curve
     families (cylinder/cone: generators or circles; torus: meridians or parallels; ellipsoids: random poles;
     planes: random directions), different seeds, origins and sample counts; digits are what all three agree to.
     Also guarded by the closure of the boundary (total normal = 0).  Method field: "flux".
 (C) columns - brute force: exact interval lines on a rotated lattice, with its own point membership straight
     from the JSON; a gross check of every F case (agreement to about 1e-3..1e-6) and the yardstick for random_csg.json.
 (T) trivial: value known exactly from the construction (disjoint, tangent, flush, nested, identical).
Nothing of the project's own code is used.   Usage: generate.py [pairs|csg|all]
"""
import json, math, os, sys, time, copy
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import warnings
warnings.filterwarnings("ignore")
import numpy as np
import mpmath as mp
import flux
import exact

HERE = os.path.dirname(os.path.abspath(__file__))
CASES, DROPPED, LOG = [], [], []


def save(name, L):
    with open(os.path.join(HERE, name), "w") as f:
        f.write("[\n"+",\n".join(json.dumps(c) for c in L)+"\n]\n")


def rq(rng):
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    return [float(v) for v in q]


def P(solid, t=(0, 0, 0), q=(1, 0, 0, 0)):
    s = dict(solid)
    s["pose"] = {"t": [float(v) for v in t], "q": [float(v) for v in q]}
    return s


def Rm(q):
    return flux.rotm(q).astype(float)


def zero_case(id, desc, a, b, group, digits=16):
    CASES.append(dict(id=id, description=desc, a=a, b=b, V=0, centroid=None, J=[0]*6, area_vector=[0, 0, 0], digits=digits,
                      area_digits=digits, group=group, method="trivial"))


def put(id, desc, a, b, V, c, J, area, digits, adig, group, method, **kw):
    d = dict(id=id, description=desc, a=a, b=b, V=V, centroid=[float(v) for v in c], J=[float(v) for v in J],
             area_vector=[float(v)+0.0 for v in area], digits=int(digits), area_digits=int(adig), group=group, method=method)
    d.update(kw)
    CASES.append(d)


def dig(e, cap):
    return cap if e <= 10.0**-cap else int(math.floor(-math.log10(e)))


def exact_fn(a, b):
    """method E for a pair, if there is one"""
    ka, kb = flux.key_of(a), flux.key_of(b)
    rev = ("cylinder", "cone", "capsule", "torus")
    fin = lambda s, k: k != "cylinder" or "height" in s["cylinder"]
    if ka == kb == "box":
        return lambda: (exact.box_box(a, b), "rational")
    if ka == kb == "sphere":
        return lambda: (exact.sphere_sphere(a, b), "closed_form")
    if {ka, kb} == {"sphere", "cylinder"}:
        s, c = (a, b) if ka == "sphere" else (b, a)
        if "height" not in c["cylinder"]:
            return lambda: (exact.sphere_cylinder(s, c, c is b), "slices_mp")
    if "half_space" in (ka, kb):
        h, o, k = (a, b, kb) if ka == "half_space" else (b, a, ka)
        if k == "box":
            return lambda: (exact.box_halfspace(o, h, o is b), "rational")
        if k in ("sphere", "ellipsoid"):
            return lambda: (exact.ellipsoid_halfspace(o, h, o is b), "closed_form")
        if k in rev and fin(o, k):
            return lambda: (exact.rev_halfspace(o, h, o is b), "slices_mp")
    return None


# ---------------------------------------------------------------- method F driver
def flux_case(id, desc, a, b, group, nu=300, mind=9, col=240, zero_area=False, keep=True):
    t0 = time.time()
    try:
        r = [flux.compute(a, b, mode=0, seed=11, nu=nu)]
        if r[0]["V"] <= 0:
            raise ArithmeticError("V<=0")
        g = math.sqrt(sum(r[0]["J"][:3])/2/r[0]["V"])
        off = np.array([0.31, -0.17, 0.23])*g
        r.append(flux.compute(a, b, mode=1, seed=12, nu=int(nu*1.37)+1, org=np.array(r[0]["c"], float)+off))
        r.append(flux.compute(a, b, mode=0, seed=13, nu=int(nu*1.71)+3, org=np.array(r[0]["c"], float)-off))
    except Exception as ex:
        DROPPED.append((id, "failed: %r" % ex))
        print("DROP", id, ex, flush=True)
        return None
    e = [flux.compare(r[i], r[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    eV, eA = max(x[0] for x in e), max(x[1] for x in e)
    eV = max(eV, 1e-15)
    eA = max(eA, 1e-15)
    clos = max(x["closure"]/x["surf"] for x in r)
    bf = flux.columns(a, b, col)
    eC = flux.compare(bf, dict(V=r[1]["V"], c=r[1]["c"], J=r[1]["J"]))[0]
    if eC > 1e-3:      # thin lump: the coarse extent scan of the columns may have cut it
        bf = flux.columns(a, b, 800, full=True)
        eC = flux.compare(bf, dict(V=r[1]["V"], c=r[1]["c"], J=r[1]["J"]))[0]
    D, DA = dig(1.5*eV, 13), dig(1.5*eA, 13)
    msg = "%-34s V=%.6g agree %.1e area %.1e clos %.0e col %.1e  %.1fs" % (id, r[0]["V"], eV, eA, clos, eC, time.time()-t0)
    print(msg, flush=True)
    LOG.append(msg)
    if D < mind or clos > 1e-9 or eC > 3e-3:
        DROPPED.append((id, msg))
        print("DROP", id, flush=True)
        return None
    m = lambda k: np.mean([np.array(x[k], dtype=np.longdouble) for x in r], axis=0)
    area = m("area")
    if zero_area:
        area, DA = [0, 0, 0], 13
    ex = exact_fn(a, b)
    if ex is not None:      # method E exists: its value is written, F confirms it
        x, meth = ex()
        y = dict(V=float(m("V")), c=m("c"), J=m("J").astype(float), area=area)
        x = dict(V=float(x["V"]), c=[float(v) for v in x["c"]], J=[float(v) for v in x["J"]], area=[float(v) for v in x["area"]])
        ee = flux.compare(x, y)
        print("    exact %s against flux: %.1e / %.1e" % ((meth,)+ee), flush=True)
        LOG.append("    exact %s against flux: %.1e / %.1e" % ((meth,)+ee))
        if max(ee) > 1e-11:
            DROPPED.append((id, "exact and flux differ %g %g" % ee))
            print("DROP", id, flush=True)
            return None
        put(id, desc, a, b, x["V"], x["c"], x["J"], x["area"], 15, 15, group, meth, flux_check=float("%.1e" % max(ee)), columns_check=float("%.1e" % eC))
        return r
    put(id, desc, a, b, float(m("V")), m("c"), m("J"), area, D, DA, group, "flux", columns_check=float("%.1e" % eC))
    return r


# ---------------------------------------------------------------- method E driver
def other_box_hs(box, hs):
    """box cut by a half-space, by inclusion-exclusion over the corners (V and section area)"""
    n, d = exact.hs_plane(hs)
    R, t = exact.pose(box)
    m = exact.mv(exact.tr(R), n)
    c = d-exact.dot(n, t)
    h = [mp.mpf(v)/2 for v in box["box"]["size"]]
    m = [abs(v) for v in m]
    V = A = mp.mpf(0)
    for s in range(8):
        e = [1 if s >> i & 1 else -1 for i in range(3)]
        w = c-sum(e[i]*m[i]*h[i] for i in range(3))
        if w > 0:
            sg = (-1)**e.count(1)
            V += sg*w**3/6
            A += sg*w**2/2
    p = m[0]*m[1]*m[2]
    return V/p, A/p


def other_cone_apex(cone, hs):
    """apex of a cone cut off by a plane: an oblique cone on an ellipse (V and section area)"""
    n, d = exact.hs_plane(hs)
    R, t = exact.pose(cone)
    k = cone["cone"]
    r, h = mp.mpf(k["radius"]), mp.mpf(k["height"])
    ax = [R[i][2] for i in range(3)]
    p = d-exact.dot(n, [t[i]+h*ax[i] for i in range(3)])
    c2 = exact.dot(n, ax)**2
    s2 = r*r/(r*r+h*h)
    a = p*mp.sqrt(s2*(1-s2))/(c2-s2)
    b = a*mp.sqrt(1-(1-c2)/(1-s2))
    A = mp.pi*a*b
    return p*A/3, A


def mp_case(id, desc, a, b, group, fn, method, fluxcheck=None, other=None, **kw):
    t0 = time.time()
    mp.mp.dps = 120
    r = fn(1)
    if method != "rational":
        mp.mp.dps = 100
        r2 = fn(2)
        mp.mp.dps = 120
        V = r["V"]
        g = mp.sqrt(sum(r["J"][:3])/2/V)
        e = max(abs(r2["V"]/V-1), max(abs(x-y) for x, y in zip(r["c"], r2["c"]))/g,
                max(abs(x-y) for x, y in zip(r["J"], r2["J"]))/max(abs(x) for x in r["J"]),
                max(abs(x-y) for x, y in zip(r["area"], r2["area"]))/max(abs(x) for x in r["area"]))
        if e > 1e-18:
            DROPPED.append((id, "mp agreement %s" % mp.nstr(e, 3)))
            print("DROP", id, mp.nstr(e, 3))
            return
    else:
        e = 0
    fx = ""
    y = dict(V=float(r["V"]), c=[float(v) for v in r["c"]], J=np.array([float(v) for v in r["J"]]), area=[float(v) for v in r["area"]])
    if other:
        V2, A2 = other()
        tomp = lambda v: mp.mpf(v.numerator)/v.denominator if method == "rational" else v
        eo = max(abs(V2/tomp(r["V"])-1), abs(A2/mp.sqrt(sum(tomp(v)**2 for v in r["area"]))-1))
        fx += "other %s " % mp.nstr(eo, 2)
        kw["other_check"] = float(mp.nstr(eo, 2))
        assert eo < 1e-15, (id, eo)
    if fluxcheck and not (other and fluxcheck > 10000):
        g = math.sqrt(sum(y["J"][:3])/2/y["V"])
        for sd in range(3, 4 if other else 7):     # a run that missed a tiny face is repeated with other curves
            x = flux.one_run(a, b, mode=sd % 2, seed=sd, nu=fluxcheck, org=y["c"], Lb=10*g)
            if x["surf"] > 0 and x["V"] > 0:
                ee = flux.compare(x, y)
                if max(ee) < 1e-3:
                    fx += "flux %.1e/%.1e" % ee
                    kw["flux_check"] = float("%.1e" % max(ee))
                    break
        else:
            fx += "flux: missed tiny faces"
    msg = "%-34s V=%.6g mp %s %s %.1fs" % (id, y["V"], mp.nstr(e, 2), fx, time.time()-t0)
    print(msg, flush=True)
    LOG.append(msg)
    put(id, desc, a, b, y["V"], y["c"], y["J"], y["area"], 15, 15, group, method, **kw)


H1, H2 = mp.mpf(1)/32, mp.mpf(1)/21


def hh(k):
    return H1 if k == 1 else H2


# ---------------------------------------------------------------- ordinary pairs
def shape(kind, rng, i):
    u = lambda a, b: float(round(rng.uniform(a, b), 3))
    if kind == "sphere":
        return {"sphere": {"radius": u(.25, .5)}}
    if kind == "ellipsoid":
        return {"ellipsoid": {"semi_axes": [u(.3, .6), u(.2, .4), u(.15, .35)]}}
    if kind == "box":
        return {"box": {"size": [u(.4, .9), u(.4, .9), u(.4, .9)]}}
    if kind == "cylinder":
        return {"cylinder": {"radius": u(.2, .4), "height": u(.4, 1.)}}
    if kind == "cone":
        r = u(.3, .5)
        if i % 2 == 0:
            return {"cone": {"radius": r, "height": u(.5, 1.)}}
        return {"cone": {"radius": r, "height": u(.4, .9), "radius_top": u(.1, .6)}}
    if kind == "capsule":
        return {"capsule": {"radius": u(.15, .3), "height": u(.3, .8)}}
    if kind == "torus":
        return {"torus": {"major_radius": u(.3, .5), "minor_radius": u(.08, .2)}}
    if kind == "half_space":
        return {"half_space": {}}
    if kind == "slab":
        return {"slab": {"thickness": u(.1, .3)}}
    if kind == "inf_cylinder":
        return {"cylinder": {"radius": u(.15, .35)}}


def frac(a, b, rng):
    """quick Monte-Carlo: V/(volume of the smaller bounded one)"""
    c, L = flux.ball(a, b)
    p = c+L*rng.uniform(-1, 1, size=(20000, 3))
    ia, ib = flux.inside(a, p), flux.inside(b, p)
    n = (ia & ib).sum()
    ref = [x.sum() for s, x in ((a, ia), (b, ib)) if flux.bound(s) is not None]
    # the ball of the smaller may cut the larger; good enough for choosing a case
    return n/max(1, min(ref)), n


def random_pair(ka, kb, rng, i):
    while True:
        a = P(shape(ka, rng, i), rng.uniform(-.3, .3, 3), rq(rng))
        b = P(shape(kb, rng, i+1), rng.uniform(-.3, .3, 3)+rng.normal(size=3)*.25, rq(rng))
        f, n = frac(a, b, rng)
        if n > 60 and .04 < f < .5:
            return a, b


def ordinary():
    kinds = ["sphere", "ellipsoid", "box", "cylinder", "cone", "torus", "capsule", "half_space"]
    for i, ka in enumerate(kinds):
        for j, kb in enumerate(kinds):
            if j < i or (ka == kb == "half_space"):
                continue
            for k in range(2):
                n0 = len(CASES)
                for attempt in range(3):
                    rng = np.random.default_rng([2024, i, j, k, attempt])
                    p = (ka, kb) if k == 0 else (kb, ka)
                    a, b = random_pair(p[0], p[1], rng, k+i)
                    flux_case("pair_%s_%s_%d" % (p[0], p[1], k), "generic poses, moderate overlap", a, b, "ordinary", mind=10)
                    if len(CASES) > n0:
                        break
    extra = [("slab", "sphere"), ("slab", "torus"), ("cone", "slab"), ("inf_cylinder", "box"), ("cone", "inf_cylinder"),
             ("inf_cylinder", "torus"), ("slab", "ellipsoid"), ("capsule", "inf_cylinder")]
    for k, (ka, kb) in enumerate(extra):
        rng = np.random.default_rng([2025, k])
        a, b = random_pair(ka, kb, rng, k)
        flux_case("pair_%s_%s" % (ka, kb), "generic poses, moderate overlap", a, b, "ordinary", mind=10)


# ---------------------------------------------------------------- thin overlaps
DEPTHS = [1e-2, 1e-4, 1e-6, 1e-8]


def far(rng):
    v = rng.normal(size=3)
    return v/np.linalg.norm(v)*rng.uniform(800, 1200)


def thin():
    pc = {1e-2: 800, 1e-4: 6000, 1e-6: 40000, 1e-8: 150000}
    for disp in (False, True):
        tag = "_far" if disp else ""
        ds = DEPTHS if not disp else [1e-4, 1e-8]
        for kd, d in enumerate(ds):
            E = "%.0e" % d
            E = "1e-%d" % round(-math.log10(d))
            note = ", depth %s of the size" % E+(", about 1e3 sizes from the origin" if disp else "")
            G = "thin" if not disp else "thin_far"

            def start(k):
                rng = np.random.default_rng([77, k, kd, int(disp)])
                o = far(rng) if disp else rng.uniform(-.5, .5, 3)
                q = rq(rng)
                R = Rm(q)
                return rng, o, q, R
            fc = pc[d]

            # sphere - half space
            rng, o, q, R = start(1)
            lat = R[:, 0]*.3-R[:, 1]*.2
            r = .5
            A, B = P({"half_space": {}}, o, q), P({"sphere": {"radius": r}}, o+lat+R[:, 2]*(r-d*r), rq(rng))
            mp_case("thin_sphere_hs_%s%s" % (E, tag), "sphere into half-space"+note, A, B, G,
                    lambda k: exact.ellipsoid_halfspace(B, A, True) if k == 1 else exact.rev_halfspace(B, A, True, H2), "closed_form", fc)
            # sphere - sphere
            rng, o, q, R = start(2)
            A, B = P({"sphere": {"radius": .7}}, o, q), P({"sphere": {"radius": .4}}, o+R[:, 2]*(1.1-d*.4), rq(rng))
            mp_case("thin_sphere_sphere_%s%s" % (E, tag), "two spheres"+note, A, B, G, lambda k: exact.sphere_sphere(A, B), "closed_form", fc)
            # ellipsoid - half space
            rng, o, q, R = start(3)
            ax = [.5, .3, .2]
            q2 = rq(rng)
            R2 = Rm(q2)
            supp = np.linalg.norm(np.array(ax)*(R2.T @ R[:, 2]))
            A, B = P({"half_space": {}}, o, q), P({"ellipsoid": {"semi_axes": ax}}, o+R[:, 0]*.4+R[:, 2]*(supp-d*.3), q2)
            mp_case("thin_ellipsoid_hs_%s%s" % (E, tag), "ellipsoid into half-space"+note, A, B, G,
                    lambda k: exact.ellipsoid_halfspace(B, A, True), "closed_form", fc)
            # cylinder lying
            rng, o, q, R = start(4)
            r, h = .25, .8
            # rotation: cylinder axis along R[:,0]; compose q with a 90 deg turn about local y, then spin about its own axis
            s = math.sqrt(.5)
            q2 = qmul(qmul(q, [s, 0, s, 0]), [math.cos(.37), 0, 0, math.sin(.37)])
            A, B = P({"half_space": {}}, o, q), P({"cylinder": {"radius": r, "height": h}}, o+R[:, 1]*.3+R[:, 2]*(r-d*r), q2)
            mp_case("thin_cyl_lying_hs_%s%s" % (E, tag), "cylinder lying on half-space (axis parallel up to rounding)"+note, A, B, G,
                    lambda k: exact.rev_halfspace(B, A, True, hh(k)), "slices_mp", fc)
            # cylinder end tilted (ungula)
            rng, o, q, R = start(5)
            al = [.3, .02, .7, .1][kd]
            q2 = qmul(q, [math.cos(al/2), math.sin(al/2)*.6, math.sin(al/2)*.8, 0])
            low = h/2*math.cos(al)+r*math.sin(al)
            A, B = P({"half_space": {}}, o, q), P({"cylinder": {"radius": r, "height": h}}, o+R[:, 1]*.3+R[:, 2]*(low-d*r), q2)
            if disp:
                A, B = B, A
            mp_case("thin_cyl_ungula_%s%s" % (E, tag), "cylinder end tilted by %g rad, rim into half-space" % al+note, A, B, G,
                    lambda k: exact.rev_halfspace(A if disp else B, B if disp else A, not disp, hh(k)), "slices_mp", fc)
            # box corner into half space
            rng, o, q, R = start(6)
            sz = [.6, .8, .5]
            q2 = rq(rng)
            R2 = Rm(q2)
            supp = sum(abs(R2.T @ R[:, 2])*np.array(sz)/2)
            C, D = P({"half_space": {}}, o, q), P({"box": {"size": sz}}, o+R[:, 1]*.3+R[:, 2]*(supp-d*.5), q2)
            mp_case("thin_boxcorner_hs_%s%s" % (E, tag), "box corner into half-space"+note, C, D, G,
                    lambda k: exact.box_halfspace(D, C, True), "rational", fc, lambda: other_box_hs(D, C))
            # box edge into half space: edge parallel to plane up to rounding, box turned about it
            rng, o, q, R = start(7)
            be = .6
            q2 = qmul(q, [math.cos(be/2), math.sin(be/2), 0, 0])
            R2 = Rm(q2)
            supp = sum(abs(R2.T @ R[:, 2])*np.array(sz)/2)
            C2, D2 = P({"half_space": {}}, o, q), P({"box": {"size": sz}}, o-R[:, 1]*.2+R[:, 2]*(supp-d*.5), q2)
            mp_case("thin_boxedge_hs_%s%s" % (E, tag), "box edge into half-space (edge parallel up to rounding)"+note, D2, C2, G,
                    lambda k: exact.box_halfspace(D2, C2, False), "rational", fc, lambda: other_box_hs(D2, C2))
            # box corner into box face
            rng, o, q, R = start(8)
            q2 = qmul(q, rq_near(rng, .5))
            R2 = Rm(q2)
            w = R2.T @ R[:, 2]
            corner = -R2 @ (np.sign(w)*np.array(sz)/2)
            pos = o+R[:, 2]*.5-d*.5*R[:, 2]-corner+R[:, 0]*.1-R[:, 1]*.15
            A8, B8 = P({"box": {"size": [1.2, 1.4, 1.]}}, o, q), P({"box": {"size": sz}}, pos, q2)
            mp_case("thin_boxcorner_boxface_%s%s" % (E, tag), "box corner into box face"+note, A8, B8, G,
                    lambda k: exact.box_box(A8, B8), "rational", fc)
            # sphere - infinite cylinder
            rng, o, q, R = start(9)
            A9 = P({"cylinder": {"radius": .3}}, o, q)
            dr = R[:, 0]*math.cos(1.1)+R[:, 1]*math.sin(1.1)
            B9 = P({"sphere": {"radius": .5}}, o+dr*(.8-d*.3)+R[:, 2]*.9, rq(rng))
            mp_case("thin_sphere_infcyl_%s%s" % (E, tag), "sphere against infinite cylinder"+note, A9, B9, G,
                    lambda k: exact.sphere_cylinder(B9, A9, False, hh(k)), "slices_mp", fc)
            # torus tilted - half space
            rng, o, q, R = start(10)
            al = [.35, .6, 1.2, .2][kd]
            q2 = qmul(q, [math.cos(al/2), -math.sin(al/2)*.8, math.sin(al/2)*.6, 0])
            Rj, rj = .5, .15
            low = Rj*math.sin(al)+rj
            A10, B10 = P({"half_space": {}}, o, q), P({"torus": {"major_radius": Rj, "minor_radius": rj}}, o+R[:, 1]*.2+R[:, 2]*(low-d*rj), q2)
            mp_case("thin_torus_hs_%s%s" % (E, tag), "torus tilted by %g rad into half-space" % al+note, A10, B10, G,
                    lambda k: exact.rev_halfspace(B10, A10, True, hh(k)), "slices_mp", fc)
            if kd % 2 == 1 or disp:
                # torus flat
                rng, o, q, R = start(11)
                A11, B11 = P({"half_space": {}}, o, q), P({"torus": {"major_radius": Rj, "minor_radius": rj}}, o+R[:, 1]*.2+R[:, 2]*(rj-d*rj),
                                                         qmul(q, [math.cos(.4), 0, 0, math.sin(.4)]))
                if not disp:
                    mp_case("thin_torus_flat_hs_%s" % E, "torus lying flat on half-space (up to rounding)"+note, A11, B11, G,
                            lambda k: exact.rev_halfspace(B11, A11, True, hh(k)), "slices_mp", fc)
                # cone apex into half space
                rng, o, q, R = start(12)
                al = math.pi-.4
                q2 = qmul(q, [math.cos(al/2), math.sin(al/2), 0, 0])
                R2 = Rm(q2)
                apex = R2[:, 2]*.7
                A12, B12 = P({"half_space": {}}, o, q), P({"cone": {"radius": .3, "height": .7}}, o+R[:, 1]*.2-apex-R[:, 2]*d*.5, q2)
                mp_case("thin_coneapex_hs_%s%s" % (E, tag), "cone apex, tilted 0.4 rad, into half-space"+note, A12, B12, G,
                        lambda k: exact.rev_halfspace(B12, A12, True, hh(k)), "slices_mp", fc, lambda: other_cone_apex(B12, A12))
                # capsule lying
                if not disp:
                    rng, o, q, R = start(13)
                    q2 = qmul(q, [s, 0, s, 0])
                    A13, B13 = P({"half_space": {}}, o, q), P({"capsule": {"radius": .2, "height": .6}}, o+R[:, 1]*.3+R[:, 2]*(.2-d*.2), q2)
                    mp_case("thin_capsule_lying_hs_%s" % E, "capsule lying on half-space (up to rounding)"+note, A13, B13, G,
                            lambda k: exact.rev_halfspace(B13, A13, True, hh(k)), "slices_mp", fc)


def qmul(a, b):
    w, x, y, z = a
    W, X, Y, Z = b
    q = np.array([w*W-x*X-y*Y-z*Z, w*X+x*W+y*Z-z*Y, w*Y-x*Z+y*W+z*X, w*Z+x*Y-y*X+z*W])
    q /= np.linalg.norm(q)
    return [float(v) for v in q]


def rq_near(rng, a):
    v = rng.normal(size=3)
    v *= math.sin(a)/np.linalg.norm(v)
    return [math.cos(a), *v]


# ---------------------------------------------------------------- CSG
def csg():
    rng = np.random.default_rng(4242)
    I = (1, 0, 0, 0)

    def go(id, desc, a, b, **kw):
        flux_case("csg_"+id, desc, a, b, "csg", **kw)
    q, q2, q3 = rq(rng), rq(rng), rq(rng)
    t = rng.uniform(-.2, .2, 3)
    plate = {"difference": [P({"box": {"size": [1., 1., .4]}}), P({"cylinder": {"radius": .2, "height": 1.}})]}
    for k, (al, rp, off) in enumerate([(.12, .19, (0, 0, .05)), (.3, .16, (.06, -.02, .1)), (.05, .198, (.004, .003, -.02))]):
        ql = [math.cos(al/2), math.sin(al/2)*.6, math.sin(al/2)*.8, 0]
        R = Rm(q)
        go("peg_in_hole_%d" % k, "plate with a cylindrical hole, slightly smaller peg tilted by %g rad, general pose" % al,
           P(plate, t, q), P({"cylinder": {"radius": rp, "height": .9}}, t+R @ np.array(off), qmul(q, ql)), nu=500)
    ql = [math.cos(.02), math.sin(.02), 0, 0]
    go("peg_in_hole_2lumps", "peg r=0.195 tilted 0.04 rad about x in a hole r=0.2: two separate lumps at opposite rims",
       P(plate), P({"cylinder": {"radius": .195, "height": .9}}, (0, 0, .01), ql), nu=500)
    go("box_minus_sphere_box", "box minus sphere against a rotated box",
       P({"difference": [P({"box": {"size": [.8, .7, .6]}}), P({"sphere": {"radius": .33}}, (.3, .2, .25))]}, t, q),
       P({"box": {"size": [.5, .6, .4]}}, (.3, .1, .3), q2))
    go("box_minus_sphere_ball", "box minus sphere (a socket) against a slightly larger ball placed off centre",
       P({"difference": [P({"box": {"size": [.8, .8, .5]}}), P({"sphere": {"radius": .3}}, (0, 0, .3))]}, t, q),
       P({"sphere": {"radius": .28}}, t+Rm(q) @ np.array([.02, .03, .29]), q2))
    go("two_spheres_hs", "union of two overlapping spheres against half-space",
       P({"half_space": {}}, (.1, 0, .05), q), P({"union": [P({"sphere": {"radius": .3}}, (-.15, 0, 0)), P({"sphere": {"radius": .25}}, (.2, .1, .05))]}, (0, .1, 0), q2))
    go("two_spheres_hs_rev", "half-space as B against the union of two overlapping spheres",
       P({"union": [P({"sphere": {"radius": .3}}, (-.15, 0, 0)), P({"sphere": {"radius": .3}}, (.2, .1, .05))]}, (0, .1, 0), q2), P({"half_space": {}}, (.1, 0, -.05), q3))
    tube = {"difference": [P({"cylinder": {"radius": .4, "height": .9}}), P({"cylinder": {"radius": .3, "height": 1.}})]}
    go("tube_box", "tube (difference of coaxial cylinders) against box", P(tube, t, q), P({"box": {"size": [.5, .6, .7]}}, t+Rm(q) @ np.array([.35, .05, .1]), q2))
    go("box_tube", "box against tube", P({"box": {"size": [.9, .3, .4]}}, (.1, .2, .0), q3), P(tube, t, q2))
    tube2 = {"difference": [P({"cylinder": {"radius": .4, "height": .9}}), P({"cylinder": {"radius": .25}}, (.08, 0, 0))]}
    go("ecc_tube_sphere", "tube with an eccentric infinite hole against sphere", P(tube2, t, q), P({"sphere": {"radius": .35}}, t+Rm(q) @ np.array([.3, .1, .3]), q2))
    go("A_vs_complement", "sphere against the complement of a box", P({"sphere": {"radius": .4}}, t, q),
       P({"complement": P({"box": {"size": [.9, .8, .7]}}, (.2, .1, 0), q2)}))
    go("complement_vs_B", "complement of an ellipsoid against a capsule", P({"complement": P({"ellipsoid": {"semi_axes": [.6, .4, .35]}}, (0, 0, 0), q2)}, t, q3),
       P({"capsule": {"radius": .2, "height": .7}}, (.3, .1, .1), q))
    go("complement_of_union", "torus against the complement of (sphere union half-space)", P({"torus": {"major_radius": .4, "minor_radius": .12}}, t, q),
       P({"complement": P({"union": [P({"sphere": {"radius": .35}}, (.3, 0, .1)), P({"half_space": {}}, (0, 0, -.2), q2)]})}))
    go("lens_vs_box", "intersection of two spheres (a lens) against box", P({"intersection": [P({"sphere": {"radius": .5}}, (-.2, 0, 0)), P({"sphere": {"radius": .45}}, (.25, 0, 0))]}, t, q),
       P({"box": {"size": [.5, .5, .5]}}, t+Rm(q) @ np.array([.1, .2, .25]), q2))
    go("bowl_sphere", "hollow half ball (sphere minus sphere minus half-space) against sphere", P({"difference": [P({"sphere": {"radius": .5}}), P({"sphere": {"radius": .42}}), P({"half_space": {}}, (0, 0, .05))]}, t, q),
       P({"sphere": {"radius": .3}}, t+Rm(q) @ np.array([.1, .05, .25]), q2))
    go("nut_bolt", "box minus cone (countersink) against a cone", P({"difference": [P({"box": {"size": [.8, .8, .3]}}, (0, 0, .15)), P({"cone": {"radius": .1, "height": .32, "radius_top": .3}}, (0, 0, -.01))]}, t, q),
       P({"cone": {"radius": .12, "height": .35, "radius_top": .32}}, t+Rm(q) @ np.array([.01, .02, -.03]), qmul(q, [math.cos(.03), math.sin(.03), 0, 0])))
    go("slab_slab_slab_sphere", "intersection of three slabs (a skew prism) against sphere",
       P({"intersection": [P({"slab": {"thickness": .5}}, (0, 0, 0), q), P({"slab": {"thickness": .4}}, (.1, 0, 0), q2), P({"slab": {"thickness": .6}}, (0, .1, 0), q3)]}),
       P({"sphere": {"radius": .45}}, (.25, .2, .1), q))
    go("torus_minus_box_vs_capsule", "torus with a cut-out against capsule", P({"difference": [P({"torus": {"major_radius": .4, "minor_radius": .15}}), P({"box": {"size": [.5, .5, .5]}}, (.4, .2, 0), q3)]}, t, q),
       P({"capsule": {"radius": .18, "height": .6}}, t+Rm(q) @ np.array([-.3, .1, 0]), q2))
    go("deep_nesting", "((box union cylinder) minus (sphere intersection half-space)) against (ellipsoid minus capsule)",
       P({"difference": [P({"union": [P({"box": {"size": [.7, .5, .4]}}), P({"cylinder": {"radius": .2, "height": .9}}, (.1, .05, 0), q3)]}),
                         P({"intersection": [P({"sphere": {"radius": .3}}, (.2, .1, .1)), P({"half_space": {}}, (0, 0, .1), q2)]})]}, t, q),
       P({"difference": [P({"ellipsoid": {"semi_axes": [.5, .4, .3]}}, (.1, .1, 0), q2), P({"capsule": {"radius": .1, "height": .5}}, (.1, .1, .05), q)]}))
    # nested containment in CSG
    go("ball_in_shell_wall", "small sphere wholly inside the wall of a hollow sphere: V is the small sphere",
       P({"difference": [P({"sphere": {"radius": 1.}}), P({"sphere": {"radius": .6}})]}, t, q), P({"sphere": {"radius": .1}}, t+Rm(q) @ np.array([.5, .4, .45]), q2), zero_area=True)
    go("shell_in_box", "hollow sphere wholly inside a box", P({"box": {"size": [2., 2.2, 2.4]}}, t, q),
       P({"difference": [P({"sphere": {"radius": .8}}), P({"sphere": {"radius": .6}}, (.1, 0, 0))]}, t, q2), zero_area=True)


# ---------------------------------------------------------------- degenerate
def degenerate():
    rng = np.random.default_rng(99)
    q, q2 = rq(rng), rq(rng)
    pi = mp.pi
    s = math.sqrt(.5)
    Z = lambda id, d, a, b: zero_case("deg_"+id, d, a, b, "degenerate")
    Z("tangent_spheres", "spheres touching externally, all numbers exact (3-4-5)", P({"sphere": {"radius": 2}}), P({"sphere": {"radius": 3}}, (3, 4, 0), q))
    Z("tangent_spheres3", "spheres touching externally, direction (1,2,2)/3 exact", P({"sphere": {"radius": 1.25}}, (1, 1, 1)), P({"sphere": {"radius": 1.75}}, (2, 3, 3)))
    Z("tangent_sphere_hs", "sphere resting on half-space, touching", P({"half_space": {}}), P({"sphere": {"radius": .5}}, (.3, .1, .5), q))
    Z("flush_box_hs", "box standing on half-space, face flush", P({"half_space": {}}), P({"box": {"size": [.5, .75, 1]}}, (.3, .1, .5)))
    Z("flush_cyl_hs", "cylinder standing on half-space, end flush", P({"half_space": {}}), P({"cylinder": {"radius": .25, "height": 1}}, (.3, .1, .5)))
    Z("tangent_cyl_lying_hs", "cylinder lying on half-space, touching along a line", P({"half_space": {}}), P({"cylinder": {"radius": .25, "height": 1}}, (.3, .1, .25), (s, s, 0, 0)))
    Z("tangent_torus_hs", "torus lying flat, touching along a circle", P({"half_space": {}}), P({"torus": {"major_radius": .5, "minor_radius": .125}}, (.3, .1, .125)))
    Z("apex_cone_hs", "cone apex touching a half-space (below it, turned over)", P({"half_space": {}}), P({"cone": {"radius": .25, "height": .5}}, (0, 0, .5), (0, 1, 0, 0)))
    Z("flush_boxes_edge", "boxes sharing only an edge", P({"box": {"size": [1, 1, 1]}}), P({"box": {"size": [1, 1, 1]}}, (1, 1, .25)))
    Z("flush_boxes_corner", "boxes sharing only a corner", P({"box": {"size": [1, 1, 1]}}), P({"box": {"size": [.5, .5, .5]}}, (.75, .75, .75)))
    Z("threaded_torus", "infinite cylinder through the torus' hole, not touching (tilted)", P({"torus": {"major_radius": .5, "minor_radius": .1}}, (0, 0, 0), q),
      P({"cylinder": {"radius": .25}}, (0, 0, 0), qmul(q, [math.cos(.1), math.sin(.1), 0, 0])))
    Z("linked_tori", "two linked tori, not touching", P({"torus": {"major_radius": .5, "minor_radius": .1}}, (0, 0, 0), q),
      P({"torus": {"major_radius": .5, "minor_radius": .1}}, tuple(Rm(q) @ np.array([.5, 0, 0])), qmul(q, [s, s, 0, 0])))
    Z("near_miss_spheres", "spheres 2^-40 apart", P({"sphere": {"radius": 1}}), P({"sphere": {"radius": 1}}, (0, 2+2.**-40, 0)))
    Z("near_miss_boxes", "box faces 2^-45 apart", P({"box": {"size": [1, 1, 1]}}), P({"box": {"size": [1, 1, 1]}}, (.25, .125, 1+2.**-45)))
    Z("disjoint_boxes_rot", "disjoint rotated boxes with overlapping bounding boxes", P({"box": {"size": [2, .2, .2]}}, (0, 0, 0), (math.cos(math.pi/8), 0, 0, math.sin(math.pi/8))),
      P({"box": {"size": [2, .2, .2]}}, (.3, -.3, 0), (math.cos(math.pi/8), 0, 0, math.sin(math.pi/8))))
    Z("in_cavity", "sphere floating in the cavity of a hollow sphere", P({"difference": [P({"sphere": {"radius": 1}}), P({"sphere": {"radius": .75}})]}, (.1, .2, .3), q), P({"sphere": {"radius": .5}}, (.2, .2, .3), q2))
    Z("A_vs_own_complement", "sphere against its own complement", P({"sphere": {"radius": .5}}, (.1, .2, .3), q), P({"complement": P({"sphere": {"radius": .5}}, (.1, .2, .3), q)}))
    Z("peg_in_exact_hole", "peg of exactly the radius of the hole, coaxial", P({"difference": [P({"box": {"size": [1, 1, .5]}}), P({"cylinder": {"radius": .25, "height": 1}})]}), P({"cylinder": {"radius": .25, "height": .75}}))
    # smallest non-zero ones: exact doubles
    mp_case("deg_barely_spheres", "spheres overlapping by 2^-40", P({"sphere": {"radius": 1}}), P({"sphere": {"radius": 1}}, (0, 2-2.**-40, 0)), "degenerate",
            lambda k: exact.sphere_sphere(P({"sphere": {"radius": 1}}), P({"sphere": {"radius": 1}}, (0, 2-2.**-40, 0))), "closed_form")
    A, B = P({"box": {"size": [1, 1, 1]}}), P({"box": {"size": [.5, .25, 1]}}, (.125, .25, 1-2.**-40))
    mp_case("deg_barely_boxes", "boxes overlapping by 2^-40, faces parallel", A, B, "degenerate", lambda k: exact.box_box(A, B), "rational")

    # inner solids: values of the solid itself in world axes
    def solid_moments(o):
        mp.mp.dps = 50
        R, t = exact.pose(o)
        k = flux.key_of(o)
        v = {x: (mp.mpf(y) if not isinstance(y, list) else [mp.mpf(z) for z in y]) for x, y in o[k].items()}
        c = [mp.mpf(0)]*3
        if k == "sphere":
            r = v["radius"]
            V = 4*pi*r**3/3
            S = [V*r*r/5]*3
        elif k == "ellipsoid":
            V = 4*pi/3*v["semi_axes"][0]*v["semi_axes"][1]*v["semi_axes"][2]
            S = [V*x*x/5 for x in v["semi_axes"]]
        elif k == "box":
            V = v["size"][0]*v["size"][1]*v["size"][2]
            S = [V*x*x/12 for x in v["size"]]
        elif k == "cylinder":
            r, h = v["radius"], v["height"]
            V = pi*r*r*h
            S = [V*r*r/4, V*r*r/4, V*h*h/12]
        elif k == "cone":
            r, h = v["radius"], v["height"]
            assert "radius_top" not in v
            V = pi*r*r*h/3
            c = [0, 0, h/4]
            S = [V*r*r*3/20]*2+[V*h*h*3/80]
        elif k == "torus":
            a, r = v["major_radius"], v["minor_radius"]
            V = 2*pi**2*a*r*r
            S = [V*(4*a*a+3*r*r)/8]*2+[V*r*r/4]
        elif k == "capsule":
            r, h = v["radius"], v["height"]
            Vc, Vs = pi*r*r*h, 4*pi*r**3/3
            V = Vc+Vs
            zz = Vc*h*h/12+Vs*(r*r/5+h*h/4+2*(h/2)*(3*r/8))
            S = [Vc*r*r/4+Vs*r*r/5]*2+[zz]
        m2 = [[S[i] if i == j else mp.mpf(0) for j in range(3)] for i in range(3)]
        for i in range(3):
            for j in range(3):
                m2[i][j] += V*c[i]*c[j]
        r = exact.result(V, [V*x for x in c], m2, R, t, [mp.mpf(0)]*3)
        mp.mp.dps = 120
        return r

    def inner(id, d, a, b, o, adig=16):
        r = solid_moments(o)
        put("deg_"+id, d, a, b, float(r["V"]), r["c"], r["J"], [0, 0, 0], 15, adig, "degenerate", "trivial")
    o = P({"sphere": {"radius": .5}}, (.5, 0, 0), q)
    inner("internal_tangent", "small sphere inside a large one, touching from within", P({"sphere": {"radius": 1}}), o, o)
    o = P({"sphere": {"radius": .37}}, (.1, .2, .3), q)
    inner("identical_spheres", "the same sphere twice", o, o, o)
    o = P({"sphere": {"radius": .37}}, (.1, .2, .3), q)
    inner("identical_spheres_turned", "the same sphere twice, turned differently", P({"sphere": {"radius": .37}}, (.1, .2, .3), q2), o, o)
    o = P({"box": {"size": [.4, .5, .7]}}, (.1, .2, .3), q)
    inner("identical_boxes", "the same rotated box twice", o, o, o)
    o = P({"cylinder": {"radius": .3, "height": .7}}, (.1, .2, .3), q)
    inner("identical_cylinders", "the same rotated cylinder twice", o, o, o)
    o = P({"torus": {"major_radius": .4, "minor_radius": .1}}, (.1, .2, .3), q)
    inner("identical_tori", "the same rotated torus twice", o, o, o)
    o = P({"cone": {"radius": .3, "height": .6}}, (.1, .2, .3), q)
    inner("nested_cone", "cone wholly inside a box", o, P({"box": {"size": [3, 3.5, 4]}}, (0, .1, 0), q2), o)
    o = P({"ellipsoid": {"semi_axes": [.3, .2, .1]}}, (.1, .2, .3), q)
    inner("nested_ellipsoid", "ellipsoid wholly below a half-space's surface", P({"half_space": {}}, (0, 0, 2), (math.cos(.2), math.sin(.2), 0, 0)), o, o)
    o = P({"torus": {"major_radius": .4, "minor_radius": .1}}, (.1, .2, .3), q)
    inner("nested_torus", "torus wholly inside a sphere", P({"sphere": {"radius": 1.}}, (.1, .1, .2), q2), o, o)
    o = P({"capsule": {"radius": .1, "height": .3}}, (.1, .2, .3), q)
    inner("nested_capsule", "capsule wholly inside an ellipsoid, large offset from the origin", P({"ellipsoid": {"semi_axes": [2., 1.5, 1.]}}, (.1, .2, .3), q2), o, o)
    o = P({"cylinder": {"radius": .2, "height": .5}}, (512.25, -700.5, 300.125), q)
    inner("nested_cylinder_far", "cylinder wholly inside a sphere, 1e3 from the origin", o, P({"sphere": {"radius": 1.}}, (512, -700.5, 300.25), q2), o)
    o = P({"cylinder": {"radius": .25, "height": .5}}, (0, 0, .125))
    inner("flush_inside_cyl", "coaxial cylinders of the same radius, one inside the other, sides flush", P({"cylinder": {"radius": .25, "height": 1}}), o, o)
    o = P({"box": {"size": [.5, .5, .5]}}, (.25, .25, .25))
    inner("flush_inside_box", "small box in the corner of a large one, three faces flush from within (whether coincident faces count in the area vector is a convention: area not to be checked)",
          P({"box": {"size": [1, 1, 1]}}), o, o, adig=0)


def write_pairs():
    save("pairs.json", CASES)


def pairs():
    t0 = time.time()
    degenerate()
    write_pairs()
    thin()
    write_pairs()
    csg()
    write_pairs()
    ordinary()
    write_pairs()
    print("cases", len(CASES), "dropped", DROPPED, "%.0fs" % (time.time()-t0))
    with open(os.path.join(HERE, "pairs.log"), "w") as f:
        f.write("\n".join(LOG+["DROPPED %s: %s" % d for d in DROPPED])+"\n")


# ---------------------------------------------------------------- random CSG
def random_tree(rng, depth, top=True):
    kinds = ["sphere", "ellipsoid", "box", "cylinder", "cone", "torus", "capsule"]
    if depth == 0:
        k = kinds[rng.integers(len(kinds))] if rng.uniform() > .12 else ["half_space", "slab", "inf_cylinder"][rng.integers(3)]
        return P(shape(k, rng, int(rng.integers(2))), rng.uniform(-.3, .3, 3), rq(rng))
    op = ["union", "intersection", "difference", "complement"][rng.choice(4, p=[.34, .22, .36, .08])]
    if op == "complement":
        return P({"complement": random_tree(rng, depth-1, False)}, rng.uniform(-.1, .1, 3), rq(rng))
    n = 2 if rng.uniform() < .75 else 3
    ch = [random_tree(rng, depth-1 if i == 0 else int(rng.integers(0, depth)), False) for i in range(n)]
    return P({op: ch}, rng.uniform(-.1, .1, 3), rq(rng))


def depth_of(o):
    k = flux.key_of(o)
    if k in ("union", "intersection", "difference"):
        return 1+max(depth_of(c) for c in o[k])
    if k == "complement":
        return 1+depth_of(o[k])
    return 0


def random_csg(ncol=640, want=30):
    out, seed = [], 0
    t0 = time.time()
    while len(out) < want and seed < 400 and time.time()-t0 < 1500:
        rng = np.random.default_rng([31337, seed])
        seed += 1
        d = 2+int(rng.integers(3))
        a = random_tree(rng, d)
        b = random_tree(rng, int(rng.integers(2, 4)))
        if flux.bound(a) is None and flux.bound(b) is None:
            continue
        c, L = flux.ball(a, b)
        p = c+L*rng.uniform(-1, 1, size=(20000, 3))
        ia, ib = flux.inside(a, p), flux.inside(b, p)
        n = (ia & ib).sum()
        if n < 150 or n > .7*min(ia.sum(), ib.sum()):
            continue
        t1 = time.time()
        r = [flux.compute(a, b, mode=0, seed=21, nu=300), flux.compute(a, b, mode=1, seed=22, nu=431)]
        e, ea = flux.compare(r[0], r[1])
        clos = max(x["closure"]/x["surf"] for x in r)
        c1 = flux.columns(a, b, ncol, seed=1)
        c2 = flux.columns(a, b, ncol, seed=2)
        y = dict(V=r[1]["V"], c=r[1]["c"], J=r[1]["J"])
        ec1, ec2 = flux.compare(c1, y)[0], flux.compare(c2, y)[0]
        ec12 = flux.compare(c1, c2)[0]
        msg = "rcsg_%02d depth %d V=%.6g flux/flux %.1e area %.1e clos %.0e col %.1e %.1e %.1e %.1fs" % (len(out), d, y["V"], e, ea, clos, ec1, ec2, ec12, time.time()-t1)
        print(msg, flush=True)
        LOG.append(msg)
        if e > 1e-7 or max(ec1, ec2) > 3e-4 or clos > 1e-8:
            print("DROP")
            DROPPED.append(("rcsg seed %d" % seed, msg))
            continue
        m = lambda k: np.mean([np.array(x[k], dtype=np.longdouble) for x in r], axis=0)
        out.append(dict(id="rcsg_%02d" % len(out), description="random CSG, depth %d against %d" % (depth_of(a), depth_of(b)), a=a, b=b, V=float(m("V")),
                        centroid=[float(v) for v in m("c")], J=[float(v) for v in m("J")], area_vector=[float(v) for v in m("area")],
                        digits=min(10, dig(2*e, 12)), area_digits=min(10, dig(2*ea, 12)), group="random_csg", method="flux+columns",
                        columns_check=float("%.1e" % max(ec1, ec2))))
        save("random_csg.json", out)
    with open(os.path.join(HERE, "random_csg.log"), "w") as f:
        f.write("\n".join(LOG+["DROPPED %s: %s" % d for d in DROPPED])+"\n")
    print(len(out), "random csg", "%.0fs" % (time.time()-t0))


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "all"
    if what in ("pairs", "all"):
        pairs()
    if what in ("csg", "all"):
        LOG.clear()
        DROPPED.clear()
        random_csg()
