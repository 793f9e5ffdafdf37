"""What the benchmarks wrote, and selections of it for the tables and figures of report.py."""

SCENES = {
    "cap": "half-space, sphere (cap)",
    "lens": "sphere, sphere (lens)",
    "steinmetz": "crossed cylinders (Steinmetz)",
    "sphere_cylinder": "sphere, infinite cylinder",
    "ungula": "half-space, tilted cylinder (ungula)",
}
TITLES = {
    "boundary": "boundary",
    "closed_form": "closed form",
    "voxel": "voxels",
    "naive": "naive counting",
}
METHODS = ("boundary", "closed_form")
USUAL_TOLERANCE = {"boundary": "1e-08", "closed_form": "1e-10"}
BASE = {"depth": "1e-01", "pose": "generic", "offset": "0", "threads": "1"}
DEPTHS = ["1e+00"] + [f"1e-{k:02d}" for k in range(1, 9)]
PAIR_DEPTHS = ["1e-02", "1e-04", "1e-06", "1e-08"]


class Run:
    """One benchmark's outcome: subject, labels of its name, counters, or why it was skipped."""

    def __init__(self, entry):
        parts = [p for p in entry["run_name"].split("/")
                 if p != "real_time" and not p.startswith("iterations:")]
        self.subject = "/".join(p for p in parts if ":" not in p)
        self.labels = dict(p.split(":", 1) for p in parts if ":" in p)
        self.skipped = entry.get("error_message", "") if entry.get("error_occurred") else None
        self.counters = entry

    def __getitem__(self, name):
        return self.counters[name]

    @property
    def microseconds(self):
        """CPU time of a query on one thread; wall time on several."""
        scale = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}[self.counters["time_unit"]]
        clock = "cpu_time" if self.labels.get("threads", "1") == "1" else "real_time"
        return scale * self.counters[clock]


class Results:
    def __init__(self, documents):
        self.context = documents[0]["context"]
        self.runs = [Run(entry) for document in documents for entry in document["benchmarks"]]

    def select(self, subject=None, prefix=None, skipped=False, **labels):
        """Runs of a subject (or of subjects that begin with a prefix) with these labels, in order;
        skipped ones only when asked for."""
        return [run for run in self.runs
                if (subject is None or run.subject == subject)
                and (prefix is None or run.subject.startswith(prefix))
                and (skipped or run.skipped is None)
                and all(run.labels.get(key) == value for key, value in labels.items())]

    def first(self, subject, **labels):
        return next(iter(self.select(subject, skipped=True, **labels)), None)

    def pairings(self):
        return list(dict.fromkeys(run.subject for run in self.runs
                                  if run.subject.startswith("pair/")))


def kinds_of(subject):
    """The solids of "pair/cylinder_torus", and so on."""
    name = subject.split("/")[-1].replace("half_space", "half-space")
    return name.split("_")


def is_smooth(pairing):
    return set(kinds_of(pairing)) <= {"sphere", "ellipsoid", "torus"}


def pair_runs(results, method, tolerance, smooth, depths=("moderate",)):
    return [run for depth in depths
            for run in results.select(prefix="pair/", skipped=True, method=method, tol=tolerance,
                                      depth=depth)
            if is_smooth(run.subject) == smooth]


def pair_median(run):
    return run["median_us"]


def spread(runs):
    """Largest over smallest time, or None."""
    times = [run.microseconds for run in runs if run is not None and run.skipped is None]
    return max(times) / min(times) if len(times) > 1 else None


def depth_runs(results, scene, method, depths=DEPTHS):
    return [results.first(scene, **{**BASE, "method": method, "depth": depth,
                                    "tol": USUAL_TOLERANCE[method]}) for depth in depths]


def placement_runs(results, scene, method):
    return [results.first(scene, method=method, tol=USUAL_TOLERANCE[method], depth="1e-03",
                          pose=pose, offset=offset, threads="1")
            for pose in ("aligned", "generic") for offset in ("0", "1e+03")]
