"""Contacts in MuJoCo's models from Python: at rest, at long steps, with joints, and with MuJoCo's own constraints."""

import numpy as np
import pytest

import volcontact as vc
from volcontact import mujoco as vcm

try:
    import mujoco_by_ctypes as mujoco
except (OSError, AttributeError, TypeError) as error:  # no library, or none of these names
    pytest.skip(f"MuJoCo is not installed: {error}", allow_module_level=True)
except Exception as error:  # noqa: BLE001: no compiler, or no headers
    pytest.skip(f"MuJoCo's headers cannot be read: {error}", allow_module_level=True)

SOFT = vc.ContactModel(normal={"stiffness": 1e8, "restitution": 0.5},
                       friction={"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300})
OFF = 'contype="0" conaffinity="0"'


def world(bodies, step=0.002, more=""):
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}"/><worldbody><geom name="floor" type="plane" size="5 5 1" {OFF}/>{bodies}'
        f"</worldbody>{more}</mujoco>")
    return model, mujoco.MjData(model)


def contacts(model, data, pairs, **options):
    return vcm.MujocoContacts(model, data, pairs, engine=mujoco, **options)


BALL = f'<body name="ball" pos="0 0 0.1"><freejoint/><geom name="ball" type="sphere" size="0.05" density="1000" {OFF}/></body>'


@pytest.mark.parametrize("step", [0.001, 0.003, 0.01])
@pytest.mark.parametrize("stiffness", [1e8, 1e13])
def test_a_ball_drops_and_rests(step, stiffness):
    """No energy is made at any step and stiffness, and at rest the force is the weight."""
    model, data = world(BALL, step)
    law = vc.ContactModel(normal={"stiffness": stiffness, "restitution": 0.5})
    steps = contacts(model, data, [vcm.Contact("ball", "floor", law)])
    m = float(model.body_mass[1])
    energy = m * 9.81 * 0.1
    for _ in range(int(1.2 / step)):
        forces = steps.step()
        now = 0.5 * m * np.sum(data.qvel[:3] ** 2) + m * 9.81 * data.qpos[2]
        assert now < energy * (1 + 1e-9) + m * 9.81**2 * step**2
        assert forces.converged
    assert np.all(np.abs(data.qvel[:3]) < 1e-3) and not np.any(data.qfrc_applied)
    assert forces.touching[0] and forces.wrenches[0, 2] == pytest.approx(m * 9.81, rel=1e-3)
    mujoco.mj_forward(model, data)
    depth = 0.05 - data.qpos[2]
    assert stiffness * np.pi * depth**2 * (0.05 - depth / 3) == pytest.approx(m * 9.81, rel=1e-2)


def test_laws_of_materials():
    """A ball rests as deep as it is asked to, and steel is stiffer than wood."""
    def at_rest(law):
        model, data = world(BALL.replace('pos="0 0 0.1"', 'pos="0 0 0.0499"'))
        steps = contacts(model, data, [vcm.Contact("ball", "floor", law)])
        for _ in range(500):
            steps.step()
        return 0.05 - data.qpos[2]

    assert at_rest(vcm.Materials(depth=1e-4)) == pytest.approx(1e-4, rel=3e-3)
    assert at_rest(vcm.Materials("steel", mu_s=0.3)) < 0.1 * at_rest(vcm.Materials("soft_wood"))
    model, data = world(BALL)
    with pytest.raises(vc.InvalidInput, match="cheese"):
        contacts(model, data, [vcm.Contact("ball", "floor", vcm.Materials("cheese"))])
    with pytest.raises(vc.InvalidInput, match="depth is missing"):
        contacts(model, data, [vcm.Contact("ball", "floor", vcm.Materials())])


def test_the_same_as_without_mujoco():
    """One free body in ContactSteps, with a mass matrix and a Jacobian written down here."""
    model, data = world(BALL.replace('pos="0 0 0.1"', 'pos="0 0 0.0499"'))
    data.qvel[:] = [0.3, 0.0, -0.1, 0.0, 2.0, 0.0]
    forces = contacts(model, data, [vcm.Contact("ball", "floor", SOFT)]).step()
    mass = float(model.body_mass[1])
    inertia = 0.4 * mass * 0.05**2
    alone = vc.ContactSteps([vc.BodyPair(vc.sphere(0.05), vc.half_space(), 0, 1, SOFT)], [[0, 0, 0.0499, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]])
    again = alone.step([[0, 0, 0.0499, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]], [np.eye(6), np.zeros((6, 6))],
                       np.diag([mass] * 3 + [inertia] * 3), [0.3, 0.0, -0.1, 0.0, 2.0, 0.0], [0, 0, -9.81 * mass, 0, 0, 0], 0.002)
    assert np.allclose(forces.force, again.force, rtol=1e-9, atol=1e-9) and forces.wrenches[0, 2] > 1
    assert np.allclose(forces.wrenches, again.wrenches, rtol=1e-9, atol=1e-9)


def test_pushes_actuators_and_joints():
    """A box on a slide is pressed on the floor by its weight, a wrench on the body, and a motor."""
    bodies = f'''<body name="box" pos="0 0 0.05"><joint name="slide" type="slide" axis="0 0 1"/>
        <geom name="box" type="box" size="0.05 0.05 0.05" mass="2" {OFF}/></body>'''
    model, data = world(bodies, 0.002, '<actuator><motor joint="slide" gear="1"/></actuator>')
    steps = contacts(model, data, [vcm.Contact("box", "floor", SOFT)])
    data.xfrc_applied[1, 2], data.qfrc_applied[0], data.ctrl[0] = -30.0, -0.1, -5.0
    for _ in range(500):
        forces = steps.step()
    assert forces.wrenches[0, 2] == pytest.approx(2 * 9.81 + 35.1, rel=1e-4)
    assert data.qfrc_applied[0] == -0.1  # as it was, to the last bit
    assert forces.force.shape == (1,) and forces.force[0] == pytest.approx(forces.wrenches[0, 2])


def test_beside_constraints_of_mujoco():
    """An arm falls on the floor where the limit of its joint holds it, too: no energy at long steps."""
    bodies = f'''<body name="arm" pos="0 0 0.09"><joint type="hinge" axis="0 1 0" limited="true" range="-60 4.58"/>
        <geom name="arm" type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="1" {OFF}/></body>'''
    model, data = world(bodies, 0.005)
    law = vc.ContactModel(normal={"stiffness": 1e12, "restitution": 0.5})
    steps = contacts(model, data, [vcm.Contact("arm", "floor", law)])
    data.qpos[0] = -0.4
    for _ in range(300):
        steps.step()
        assert abs(data.qvel[0]) < 6  # the fall alone makes 5.4 rad/s
    assert abs(data.qvel[0]) < 1e-3 and data.qpos[0] == pytest.approx(0.08, abs=2e-3) and data.nefc == 1


def test_sides_with_solids_and_meshes():
    model, data = world(f'''<body name="pin" pos="0 0 0.075"><freejoint/>
        <geom name="pin" type="cylinder" size="0.00995 0.03" density="7800" {OFF}/></body>
        <body name="plate" pos="0 0 0.05"><geom name="plate" type="box" size="0.05 0.05 0.01" {OFF}/></body>''', 0.001)
    plate = vc.box([0.1, 0.1, 0.02]) - vc.cylinder(0.01)
    steps = contacts(model, data, [vcm.Contact("pin", vcm.Side("plate", plate), SOFT), vcm.Contact("pin", "floor", SOFT)])
    for _ in range(400):
        steps.step()
    assert data.qpos[2] == pytest.approx(0.03, abs=1e-4)  # it fell through the hole and stands on the floor


@pytest.mark.parametrize("shape, size, volume", [
    ("sphere", "0.1", 4 / 3 * np.pi * 1e-3), ("box", "0.1 0.2 0.3", 8 * 6e-3), ("ellipsoid", "0.1 0.2 0.3", 4 / 3 * np.pi * 6e-3),
    ("cylinder", "0.1 0.2", np.pi * 0.01 * 0.4), ("capsule", "0.1 0.2", np.pi * 0.01 * 0.4 + 4 / 3 * np.pi * 1e-3)])
def test_solids_of_geoms(shape, size, volume):
    model, _ = world(f'<body><geom type="{shape}" size="{size}" pos="1 2 3" euler="30 0 0"/></body>')
    solid = vcm.solid_of_geom(model, 1)
    assert solid.volume == pytest.approx(volume, rel=1e-6) and np.allclose(solid.centroid, [1, 2, 3])


def test_solid_of_a_mesh():
    asset = '<asset><mesh name="m" vertex="0 0 0  0.1 0 0  0 0.1 0  0 0 0.1" face="0 2 1  0 1 3  1 2 3  0 3 2"/></asset>'
    model, _ = world('<body><geom type="mesh" mesh="m" pos="1 0 0"/></body>', more=asset)
    solid = vcm.solid_of_geom(model, 1)
    assert solid.volume == pytest.approx(1e-3 / 6, rel=1e-5) and np.allclose(solid.centroid, [1.025, 0.025, 0.025], atol=1e-6)


def test_states_are_kept_and_restored():
    model, data = world(BALL.replace('pos="0 0 0.1"', 'pos="0 0 0.0499"'))
    steps = contacts(model, data, [vcm.Contact("ball", "floor", SOFT)])
    data.qvel[0] = 0.5
    for _ in range(5):
        steps.step()
    states, qpos, qvel = steps.save(), data.qpos.copy(), data.qvel.copy()
    first = [steps.step().force.copy() for _ in range(3)]
    steps.restore(states)
    data.qpos[:], data.qvel[:] = qpos, qvel
    assert np.array_equal(first, [steps.step().force for _ in range(3)])


def test_messages():
    model, data = world(BALL)
    for pairs, message in (([vcm.Contact("bal", "floor", SOFT)], "no geom named 'bal'"),
                           ([vcm.Contact(vcm.Side("b", vc.sphere(1.0)), "floor", SOFT)], "no body named 'b'"),
                           ([vcm.Contact("ball", "ball", SOFT)], "one body")):
        with pytest.raises(vc.InvalidInput, match=message):
            contacts(model, data, pairs)
    model, data = world(BALL.replace('pos="0 0 0.1"', 'pos="0 0 0.0499"').replace(OFF, 'conaffinity="1"'), more="")
    model.geom_contype[0] = 1
    for other in ("floor", vcm.Side("world", vc.half_space())):
        with pytest.raises(vc.InvalidInput, match="lets the geoms 1 and 0 collide"):
            contacts(model, data, [vcm.Contact("ball", other, SOFT)]).step()
    with pytest.raises(vc.InvalidInput, match="positive definite"):
        vc.ContactSteps([], np.zeros((0, 7))).step(np.zeros((0, 7)), np.zeros((0, 6, 1)), [[-1.0]], [0.0], [0.0], 0.1)
