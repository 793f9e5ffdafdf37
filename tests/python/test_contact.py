"""Contact models over many contacts, scenarios, and identification."""

import json
import pickle
import subprocess

import numpy as np
import pytest
from conftest import random_poses

import volcontact as vc

MODEL = vc.ContactModel(
    normal={"law": "volumetric", "stiffness_a": 2e6, "stiffness_b": 5e6, "restitution": 0.7},
    friction={"law": "bristle", "mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300})


def ball_on_plane(random, count):
    pair = vc.PreparedPair(vc.sphere(0.05), vc.half_space())
    X = random_poses(random, count, 0.0)
    X[:, 2] = random.uniform(0.045, 0.055, count)
    return pair, X


def test_many_contacts_as_one_by_one(random):
    pair, X = ball_on_plane(random, 40)
    m = pair.query(X)
    V = random.normal(size=(40, 6)) * 0.1
    state = MODEL.touch(m, X, V)
    assert np.array_equal(state.touching, m.overlap) and 5 < np.sum(m.overlap) < 35
    state.deflection[:] = random.normal(size=(40, 3)) * 1e-5 * [1, 1, 0]
    f = MODEL.evaluate(m, X, V, None, None, state)
    for i in range(40):
        one = MODEL.evaluate(m[i], X[i], V[i], state=state[i])
        for name in vc.ContactForce.fields:
            assert np.array_equal(getattr(one, name), getattr(f, name)[i]), name
    touching = m.overlap
    k = 1 / (1 / 2e6 + 1 / 5e6)
    still = MODEL.evaluate(m, X)
    assert np.allclose(still.force[touching], k * m.volume[touching, None] * m.area_normal[touching])
    assert not np.any(still.force[~touching])
    # The powers add up to minus that of the wrench.
    w = np.sum(f.force * (V[:, :3] + np.cross(V[:, 3:], f.point - X[:, :3])) + f.torque * V[:, 3:], axis=-1)
    powers = sum(getattr(f, name) for name in vc.ContactForce.fields[vc.ContactForce.fields.index("elastic"):])
    assert np.allclose(powers, -w, rtol=1e-9, atol=1e-9)


def test_states_follow_contacts(random):
    pair, X = ball_on_plane(random, 3)
    X[:, 2] = [0.049, 0.06, 0.049]
    V = np.array([0.0, 0, -0.2, 0, 0, 0])
    first = MODEL.touch(pair.query(X), X, V)
    assert first.touching.tolist() == [True, False, True] and first.impact_speed[0] == pytest.approx(0.2)
    X[:, 2] = [0.0485, 0.049, 0.06]
    second = MODEL.touch(pair.query(X), X, 2 * V, state=first)
    assert second.touching.tolist() == [True, True, False]
    assert second.impact_speed[0] == first.impact_speed[0]
    assert second.impact_speed[1] == pytest.approx(0.4)
    assert pickle.loads(pickle.dumps(second)).impact_speed.tolist() == second.impact_speed.tolist()
    assert "2 touching" in repr(second)


def test_as_the_tool(data, tool, random):
    """One contact, with the numbers that `volcontact force` prints."""
    model = vc.ContactModel.read(data / "contact.json")
    pair = vc.PreparedPair(vc.read(data / "solids/sphere.json"), vc.read(data / "solids/plane.json"))
    X, V = [0, 0, 0.04999, 1, 0, 0, 0], [0.1, 0, -0.2, 0, 0, 3.0]
    answer = json.loads(subprocess.run(
        [tool, "force", data / "solids/sphere.json", data / "solids/plane.json", "--pose-a",
         ",".join(map(str, X)), "--twist-a", ",".join(map(str, V)), "--params", data / "contact.json",
         "--json"], capture_output=True, text=True, check=True).stdout)
    m = pair.query(X)
    f = model.evaluate(m, X, V)
    for key in ("point", "force", "torque"):
        assert np.array_equal(getattr(f, key), answer[key]), key
    assert MODEL.parameters["friction"]["mu_s"] == 0.5
    assert repr(pickle.loads(pickle.dumps(model))) == repr(model)


def test_friction_of_the_patch(random):
    model = vc.ContactModel(normal={"stiffness": 1e6}, friction={"law": "patch_coulomb", "mu": 0.3})
    pair, X = ball_on_plane(random, 1)
    X[:, 2] = 0.049
    m = pair.query(X)
    with pytest.raises(vc.InvalidInput, match="pair is missing"):
        model.evaluate(m, X)
    f = model.evaluate(m, X, [1.0, 0, 0, 0, 0, 0], pair=pair)
    assert np.linalg.norm(f.tangential) == pytest.approx(0.3 * np.linalg.norm(f.normal), rel=1e-6)


@pytest.mark.parametrize("normal", [
    {"law": "hertz", "stiffness": 1e6},
    {"law": "linear", "stiffness": 1e6},
    {"law": "power", "stiffness": 1e6, "exponent": 1.5},
    {"law": "azad_featherstone", "stiffness": 1e6, "damping": 1e3},
], ids=lambda normal: normal["law"])
def test_laws_of_points(random, normal):
    model = vc.ContactModel(normal=normal)
    pair, X = ball_on_plane(random, 2)
    for call in (model.evaluate, model.touch):
        with pytest.raises(vc.InvalidInput, match="only 'volumetric' works between solids.*give normal="):
            call(pair.query(X), X)


@pytest.mark.parametrize("field", ["impact_speed", "normal", "deflection", "twist", "dwell", "relaxation"])
def test_states_are_finite(random, field):
    pair, X = ball_on_plane(random, 3)
    m = pair.query(X)
    state = MODEL.touch(m, X)
    getattr(state, field)[1] = np.nan
    for call in (MODEL.evaluate, MODEL.touch):
        with pytest.raises(vc.InvalidInput, match=rf"state\.{field}\[1\] is not finite .*\(3,\)"):
            call(m, X, state=state)


@pytest.mark.parametrize("make, message", [
    (lambda: vc.ContactModel(normal={"stiffness": -1}), "stiffness"),
    (lambda: vc.ContactModel(normal={"stiffness": float("nan")}), "finite"),
    (lambda: vc.ContactModel(normal={"stifness": 1}), "stifness"),
    (lambda: vc.ContactModel(normal={"stiffness": 1}, friction={"law": "magic"}), "magic"),
    (lambda: MODEL.evaluate(vc.PreparedPair(vc.sphere(1), vc.half_space()).query(None), None, np.zeros(5)),
     r"V_WA has shape \(5,\)"),
    (lambda: MODEL.evaluate(vc.PreparedPair(vc.sphere(1), vc.half_space()).query(None), None,
                            np.zeros((3, 6))), "V_WA"),
    (lambda: MODEL.evaluate(vc.PreparedPair(vc.sphere(1), vc.half_space()).query(None), None,
                            state=vc.ContactState((2,))), r"state has shape \(2,\)"),
    (lambda: MODEL.wrench(vc.PreparedPair(vc.sphere(1), vc.half_space()), np.tile([0, 0, 0, 1.0, 0, 0, 0], (3, 1))),
     r"X_WA: has the leading shape \(3,\); this call takes one"),
])
def test_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_simulate(data, tmp_path):
    run = vc.simulate(data / "scenarios/bounce.json", set={"end_time": 0.2},
                      variant=vc.variants(data / "scenarios/bounce.json")[0], out=tmp_path / "run")
    assert run.t[0] == 0.0 and run.t[-1] == pytest.approx(0.2)
    assert all(column.shape == run.t.shape for column in run.values())
    name = next(column for column in run if column.endswith(".qw"))[:-3]
    assert run.body(name)["pose"].shape == (run.t.size, 7)
    assert run.summary["end_time"] == pytest.approx(0.2)
    again = vc.Run.read(tmp_path / "run")
    assert np.array_equal(again.t, run.t) and "rows to" in repr(run)
    with pytest.raises(KeyError, match="columns: t"):
        run["nothing"]
    with pytest.raises(ValueError, match="variant is 'none'"):
        vc.simulate(data / "scenarios/bounce.json", variant="none")
    with pytest.raises(ValueError, match="^scenario: at the top: no body moves"):
        vc.simulate({"title": "nothing in it"})


def test_simulate_takes_solids_and_arrays():
    def scenario(ball, plate, start):
        return {"bodies": [{"name": "ball", "solid": ball, "density": 7800, "pose": {"t": start}},
                           {"name": "plate", "fixed": True, "solid": plate}],
                "contacts": [{"name": "c", "a": "ball", "b": "plate", "normal": {"stiffness": 1e9}}], "end_time": 0.02}

    by_text = vc.simulate(scenario(
        {"sphere": {"radius": 0.015}},
        {"difference": [{"box": {"size": [0.06, 0.06, 0.01]}}, {"cylinder": {"radius": 0.01}}],
         "pose": {"t": [0, 0, 0.001]}}, [0, 0, 0.018]))
    plate = (vc.box([0.06, 0.06, 0.01]) - vc.cylinder(0.01)).posed([0, 0, 0.001, 1, 0, 0, 0])
    by_objects = vc.simulate(scenario(vc.sphere(0.015), plate, np.array([0, 0, 0.018])))
    assert np.array_equal(by_text["ball.z"], by_objects["ball.z"]) and by_text["c.volume"].max() > 0
    smaller = vc.simulate(scenario(vc.sphere(0.015), plate, [0, 0, 0.018]), set={"bodies.0.solid": vc.sphere(0.005)})
    assert smaller["c.volume"].max() == 0
    with pytest.raises(TypeError, match="simulate: a value must be a solid, .* not object"):
        vc.simulate(scenario(object(), plate, [0, 0, 0.018]))


def test_identify_names_its_arguments(data):
    position, force = np.linspace(0, 1e-4, 30), np.linspace(0, 10, 30)
    with pytest.raises(ValueError, match="sign of one of them with `negated` where the file is read, or with a minus"):
        vc.identify.stiffness(position, -force, vc.sphere(0.01))
    with pytest.raises(ValueError, match='column "x" of `columns` position'):
        vc.identify.read_press(data / "identify/press_sphere.csv", columns={"position": "x"})


def test_offset_of_the_sensor(data):
    press = vc.identify.read_press(data / "identify/press_sphere.csv")
    ball = vc.read(data / "identify/ball.json")
    force = press.force + 0.8
    with pytest.warns(UserWarning, match="volumetric fit are not noise: .*try fit_offset=True"):
        without = vc.identify.stiffness(press.position, force, ball)
    assert without.fit.structure and without.notes
    assert without.estimates["stiffness"].value == pytest.approx(6.56e13, rel=0.01)
    found = vc.identify.stiffness(press.position, force, ball, fit_offset=True)
    assert not found.fit.structure and found.fit.significance < 4
    assert found.estimates["stiffness"].value == pytest.approx(7.55e13, rel=0.01)
    assert found.estimates["force_offset"].value == pytest.approx(0.8, abs=0.2)
    assert found.contact["normal"]["stiffness"] == found.estimates["stiffness"].value
    residuals = found.force(press.position) + found.fit["force_offset"] - force
    assert np.sqrt(np.mean(residuals**2)) == pytest.approx(found.fit.rms, rel=1e-6)


def test_drift_of_the_sensor(data):
    press = vc.identify.read_press(data / "identify/press_sphere.csv")
    ball = vc.read(data / "identify/ball.json")
    progress = np.linspace(0, 1, press.position.size)**2
    force = press.force + 2.0 * progress
    found = vc.identify.stiffness(press.position, force, ball, fit_drift=True, progress=progress)
    assert found.estimates["force_drift"].value == pytest.approx(2.0, abs=0.5)
    with pytest.raises(vc.InvalidInput, match=r"progress has shape \(2,\)"):
        vc.identify.hertz(press.position, force, fit_drift=True, progress=[0, 1])


def test_identification(data):
    press = vc.identify.read_press(data / "identify/press_sphere.csv")
    ball = vc.read(data / "identify/ball.json")
    found = vc.identify.stiffness(press.position, press.force, ball)
    k = found.estimates["stiffness"]
    assert found.converged and 0 < k.standard_error < 0.05 * k.value
    assert found.covariance.shape == (2, 2)
    residuals = found.force(press.position) - press.force
    assert np.sqrt(np.mean(residuals**2)) == pytest.approx(found.fit.rms, rel=1e-6)
    assert found.contact["normal"]["stiffness"] == k.value
    drops = vc.identify.read_rebounds(data / "identify/drops.csv")
    e = vc.identify.restitution(drops.speed, drops.restitution)
    assert 0 < e.estimates["restitution"].value < 1
    assert e.restitution([0.1, 1.0]).shape == (2,)
    impacts = vc.identify.read_impacts(data / "identify/impacts.csv")
    damping = vc.identify.damping(impacts, k.value, ball)
    assert damping.estimates["damping"].value > 0 and len(damping.impacts) == len(impacts)
    assert damping.reason == ""
    with pytest.warns(DeprecationWarning, match="why_not is the old name of reason"):
        assert damping.why_not == damping.reason
    friction = vc.identify.friction(data / "identify/friction.csv")
    assert set(friction.estimates) | set(friction.open) == {
        "mu_s", "mu_c", "sigma0", "sigma1", "sigma2", "v_stribeck", "tau_dwell"}
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    for result in (found, e, damping, friction):
        assert result.plot().get_xlabel()
    with pytest.raises(ValueError, match=r"position has shape \(3,\) and force \(2,\)"):
        vc.identify.hertz([1, 2, 3], [1, 2])


def estimated_by_tool(tool, *arguments):
    run = subprocess.run([tool, "estimate", "contact", *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("options, arguments", [
    ({"material_a": "steel", "material_b": "aluminium", "mu_s": 0.3, "mu_c": 0.2},
     ["--material-a", "steel", "--material-b", "aluminium", "--mu-s", "0.3", "--mu-c", "0.2"]),
    ({"depth": 1e-4, "restitution": 0.7, "impact_speed": 2.0}, ["--depth", "1e-4", "--restitution", "0.7", "--impact-speed", "2"]),
])
def test_estimates_as_the_tool(tool, options, arguments):
    """Of the real shapes the tool's formulas hold; balls of the same volumes are the ball, to leading order."""
    known = estimated_by_tool(tool, "--radius", "0.02", "--mass", "0.5", *arguments)
    for poses, relative in (({"X_WA": [0, 0, 0.1, 1, 0, 0, 0]}, 1e-3), ({}, 6e-3)):
        found = vc.estimate_contact(vc.sphere(0.02), vc.half_space(), mass=0.5, **poses, **options)
        assert found.depth == pytest.approx(known["depth"], rel=relative)
        assert found.force == pytest.approx(0.5 * 9.81)
        for key in ("stiffness", "restitution", "v_small"):
            assert found.normal[key] == pytest.approx(known["normal"][key], rel=relative), key
        assert found.friction == known.get("friction")
        assert found.step == pytest.approx(known["step"], rel=relative)
        assert found.model.parameters["normal"] == found.normal


def test_estimates_of_real_shapes(tool):
    """A cylinder on its flat end, lowered onto the ground, is a punch."""
    known = estimated_by_tool(tool, "--shape", "cylinder", "--radius", "0.03", "--mass", "2", "--material-b", "steel")
    found = vc.estimate_contact(vc.cylinder(0.03, 0.1), vc.half_space(), mass=2, material_b="steel",
                                X_WA=[0, 0, 0.3, 1, 0, 0, 0])
    assert found.normal["stiffness"] == pytest.approx(known["stiffness"], rel=1e-3)


def test_estimates_warn_of_bodies_that_are_no_balls():
    """A plate counts as a ball without poses, which its stiffness would not show."""
    with pytest.warns(RuntimeWarning, match="^volcontact: b is no ball"):
        vc.estimate_contact(vc.sphere(0.02), vc.box([1.0, 1.0, 0.1]), mass=0.5, material_a="steel")


@pytest.mark.parametrize("options, word", [
    ({}, "depth is missing"), ({"material_a": "cheese"}, "cheese"), ({"depth": -1e-3}, "depth"),
    ({"depth": 1e-4, "restitution": 0.0}, "estitution"), ({"depth": 1e-4, "mu_s": 0.2, "mu_c": 0.3}, "mu_c"),
    ({"depth": 1e-4, "mass": -1.0}, "mass"), ({"depth": 1e-4, "X_WA": [[0, 0, 1, 1, 0, 0, 0]]}, "one pose"),
    ({"depth": 1e-4, "X_WA": [0, 0, 1, 1, 0, 0, 0], "gravity": [0, 0, 9.81]}, "does not meet"),
])
def test_estimates_refuse(options, word):
    with pytest.raises(vc.InvalidInput, match=word):
        vc.estimate_contact(vc.sphere(0.02), vc.half_space(), **{"mass": 0.5, **options})


def _peg(tilt):
    """A peg of 10 mm, with 10 µm around it in its bore, shifted by 0.1 µm and tilted about x by an angle."""
    peg = vc.cylinder(0.005, 0.05)
    plate = vc.box([0.04, 0.04, 0.02]) - vc.cylinder(0.00501, 0.03)
    return vc.PreparedPair(peg, plate), [0, 1e-7, 0, np.cos(tilt / 2), np.sin(tilt / 2), 0, 0]


def test_one_direction_warns_where_a_contact_goes_around(recwarn):
    pair, X = _peg(1.2e-3)
    model = vc.ContactModel(normal={"stiffness": 1e13, "restitution": 1.0})
    with pytest.warns(UserWarning, match="goes around a body.*ContactModel.wrench"):
        model.evaluate(pair.query(X), X)
    # Each wall by itself, by its patch: two opposite forces of one size.
    patches = pair.patches(X)
    f = model.evaluate(patches, np.broadcast_to(X, (patches.volume.size, 7)))
    pushes = np.linalg.norm(f.force, axis=-1)
    assert patches.volume.size == 2
    wrench = model.wrench(pair, X)
    arms = f.point
    torque = np.sum(f.torque + np.cross(arms, f.force), axis=0)
    assert np.linalg.norm(wrench[:3] - f.force.sum(axis=0)) < 0.02 * pushes.max()
    # One direction a wall is 2.5 % too much: the walls are arcs.
    assert np.linalg.norm(wrench[3:] - torque) < 0.03 * np.linalg.norm(torque)
    whole = model.wrench(pair, X, division="none")
    assert np.linalg.norm(whole[:3]) > 5 * np.linalg.norm(wrench[:3])
    np.testing.assert_allclose(model.wrench(pair, X, division=24), wrench, rtol=0, atol=1e-9 * pushes.max())


def test_wrench_is_that_of_springs_along_the_normals():
    pair = vc.PreparedPair(vc.cylinder(0.00995, 0.06), vc.box([0.1, 0.1, 0.04]) - vc.cylinder(0.01))
    X = [1e-4, 0, 0, 1, 0, 0, 0]
    points, volumes = pair.samples(X)
    springs = -1e11 * np.sum(volumes * points[:, 0] / np.hypot(points[:, 0], points[:, 1]))
    model = vc.ContactModel(normal={"stiffness": 1e11})
    for sectors, within in ((24, 3e-3), (96, 2e-4)):
        assert model.wrench(pair, X, division=sectors)[0] == pytest.approx(springs, rel=within)


@pytest.mark.parametrize("division, shown", [(2, "2"), (361, "361"), (24.0, "24.0"), ("some", "'some'"), (None, "None")])
def test_wrench_names_divisions_that_are_none(division, shown):
    pair, X = _peg(0.0)
    with pytest.raises(vc.InvalidInput, match=f"division is {shown}; give 'auto', 'none' or 3 to 360 sectors"):
        vc.ContactModel(normal={"stiffness": 1e9}).wrench(pair, X, division=division)


def test_one_direction_does_not_warn_of_a_flat_contact(recwarn):
    pair = vc.PreparedPair(vc.box([0.1, 0.1, 0.1]) - vc.cylinder(0.01, 1), vc.box([1, 1, 0.1]))
    model = vc.ContactModel(normal={"stiffness": 1e9, "restitution": 1.0})
    X = [0, 0, 0.0999, 1, 0, 0, 0]
    model.evaluate(pair.query(X), X)
    assert not [w for w in recwarn if issubclass(w.category, UserWarning)]


def test_patches_of_each_are_those_of_every_pose():
    pair, _ = _peg(0.0)
    poses = np.array([_peg(t)[1] for t in (1.2e-3, 0.0, 2e-3)])
    metrics, offsets = pair.patches_of_each(poses)
    assert offsets.tolist() == [0, 2, 2, 4]
    for i, X in enumerate(poses):
        single = pair.patches(X)
        np.testing.assert_array_equal(metrics[offsets[i]:offsets[i + 1]].volume, single.volume)
        np.testing.assert_array_equal(metrics[offsets[i]:offsets[i + 1]].centroid, single.centroid)
    with pytest.raises(vc.InvalidInput, match="patches takes one pair"):
        pair.patches_of_each(poses[0])


@pytest.mark.skipif(not hasattr(vc, "simulate"), reason="built without Simbody")
def test_files_of_a_dictionary_are_relative_to_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ball.json").write_text('{"sphere": {"radius": 0.1}}')
    run = vc.simulate({"bodies": [{"name": "ball", "density": 1000, "solid": {"file": "ball.json"}}],
                       "contacts": [], "end_time": 0.1, "output_interval": 0.05})
    assert run["ball.z"][-1] == pytest.approx(-0.5 * 9.81 * 0.01)
