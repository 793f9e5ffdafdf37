"""Print the agreement of the engine with the non-mesh cases of truth_sample.json."""
import json, os, sys, time
import numpy as np
import warnings
warnings.filterwarnings("ignore")
import flux
import generate
for c in json.load(open(os.path.join(os.path.dirname(__file__), "../laws/data/truth_sample.json"))):
    if "mesh" in json.dumps(c["a"])+json.dumps(c["b"]):
        continue
    t0 = time.time()
    y = dict(V=c["V"], c=c["centroid"], J=np.array(c["J"]), area=c["area_vector"])
    out = []
    for mode in (0, 1):
        r = flux.compute(c["a"], c["b"], mode=mode, seed=5, org=c["centroid"])
        if c["V"] == 0:
            out.append("V=%.2g" % r["V"])
        else:
            out.append("%.1e/%.1e clos %.0e" % (flux.compare(r, y)+(r["closure"]/r["surf"],)))
    ex = generate.exact_fn(c["a"], c["b"])
    if ex and c["V"] > 0:
        try:
            x, m = ex()
            x = dict(V=float(x["V"]), c=[float(v) for v in x["c"]], J=[float(v) for v in x["J"]], area=[float(v) for v in x["area"]])
            out.append("%s %.1e/%.1e" % ((m,)+flux.compare(x, y)))
        except AssertionError:
            pass
    if c["V"] > 1e-10:
        out.append("col %.1e" % flux.compare(flux.columns(c["a"], c["b"], 400), y)[0])
    print("%-24s" % c["id"], out, "%.1fs" % (time.time()-t0), flush=True)
