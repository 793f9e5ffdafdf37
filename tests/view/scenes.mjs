// Scenes for the tests: a ball in a block (closed forms are known), the same almost touching, a
// bouncing ball.

import {GlbWriter, LINE_STRIP, LINES} from './glb_writer.mjs';

/** A grid of points over [0, 1]² with its triangles; at(u, v) → {point, normal, value?}. */
function grid(n, m, at) {
  const samples = [];
  const triangles = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= m; j++) samples.push(at(i / n, j / m));
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      const a = i * (m + 1) + j;
      triangles.push([a, a + m + 1, a + 1], [a + 1, a + m + 1, a + m + 2]);
    }
  }
  return {
    points: samples.map((s) => s.point),
    normals: samples.map((s) => s.normal),
    triangles,
    values: samples.map((s) => s.value),
  };
}

/** The part of a ball about `centre` from polar angle p0 to p1 (0: top). */
function ballPart(radius, centre, p0, p1, n, m, value = () => 0) {
  return grid(n, m, (u, v) => {
    const p = p0 + (p1 - p0) * u;
    const a = 2 * Math.PI * v;
    const normal = [Math.sin(p) * Math.cos(a), Math.sin(p) * Math.sin(a), Math.cos(p)];
    const point = normal.map((x, k) => centre[k] + radius * x);
    return {point, normal, value: value(point)};
  });
}

function disc(radius, z, n, m, value = () => 0) {
  return grid(n, m, (u, v) => {
    const a = 2 * Math.PI * v;
    const point = [radius * u * Math.cos(a), radius * u * Math.sin(a), z];
    return {point, normal: [0, 0, 1], value: value(point)};
  });
}

function join(...meshes) {
  const all = {points: [], normals: [], triangles: [], values: []};
  for (const mesh of meshes) {
    const from = all.points.length;
    all.triangles.push(...mesh.triangles.map((t) => t.map((i) => i + from)));
    for (const name of ['points', 'normals', 'values']) all[name].push(...mesh[name]);
  }
  return all;
}

/** A box with sharp edges from `low` to `high`, and its edges as pairs of points. */
function box(low, high) {
  const faces = [];
  const edges = [];
  const corner = (s) => s.map((v, k) => (v ? high[k] : low[k]));
  for (let axis = 0; axis < 3; axis++) {
    const [p, q] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [0, 1]) {
      const normal = [0, 0, 0];
      normal[axis] = side ? 1 : -1;
      const at = (a, b) => {
        const s = [];
        s[axis] = side;
        s[p] = a;
        s[q] = b;
        return corner(s);
      };
      const points = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
      const triangles = side ? [[0, 1, 2], [0, 2, 3]] : [[0, 2, 1], [0, 3, 2]];
      faces.push(
          {points, normals: points.map(() => normal), triangles, values: points.map(() => 0)});
    }
    for (const [a, b] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      for (const end of [0, 1]) {
        const s = [];
        s[axis] = end;
        s[p] = a;
        s[q] = b;
        edges.push(corner(s));
      }
    }
  }
  return {mesh: join(...faces), edges};
}

/** An arrow of length 1 along z. */
function arrowMesh() {
  const r = 0.03;
  const rings = [[0, 0], [r, 0], [r, 0.75], [0.08, 0.75], [0, 1]];
  return grid(rings.length - 1, 16, (u, v) => {
    const [radius, z] = rings[Math.round(u * (rings.length - 1))];
    const a = 2 * Math.PI * v;
    return {
      point: [radius * Math.cos(a), radius * Math.sin(a), z],
      normal: [Math.cos(a), Math.sin(a), 0.2],
      value: 0
    };
  });
}

function geometry({points, normals, triangles}) {
  return {points, normals, triangles};
}

function addArrow(writer, mesh, data, translation, length) {
  return writer.node(
      {kind: 'arrow', ...data}, {mesh, translation, scale: [length, length, length]});
}

/**
 * A ball of radius r whose lowest point lies `depth` under the top (z = 0) of a block; stiffness
 * k_v [N/m³]. The pressure at a point of the ball's cap is k_v times its depth, the volume of the
 * cap is πd²(r − d/3).
 */
export function ballOnBlock({
  r = 0.05,
  depth = 0.012,
  stiffness = 1e9,
  rings = 48,
  labels = {},
  arrows = [0.6, 1.4],
  change,
  extras = {}
} = {}) {
  const names = {
    a: 'Ball',
    b: 'Block',
    title: 'A ball pressed into a block',
    force: 'Force on the ball',
    ...labels
  };
  const writer = new GlbWriter();
  const centre = [0, 0, r - depth];
  const rim = Math.sqrt(depth * (2 * r - depth));
  const angle = Math.acos((depth - r) / r);
  writer.node(
      {kind: 'solid', label: names.a, body: names.a, side: 'a'},
      {mesh: writer.mesh(geometry(ballPart(r, centre, 0, Math.PI, rings, 2 * rings)))});
  const block = box([-0.09, -0.07, -0.05], [0.09, 0.07, 0]);
  const blockNode = writer.node(
      {kind: 'solid', label: names.b, body: names.b, side: 'b'},
      {mesh: writer.mesh(geometry(block.mesh))});
  writer.node(
      {kind: 'edges', label: 'edges'}, {mesh: writer.mesh({points: block.edges, mode: LINES})},
      blockNode);

  const cap = ballPart(r, centre, angle, Math.PI, 24, 96);
  writer.node(
      {kind: 'overlap', label: 'Overlap'},
      {mesh: writer.mesh(geometry(join(cap, disc(rim, 0, 24, 96))))});
  const pressure = ([x, y]) =>
      stiffness * Math.max(0, Math.sqrt(r * r - x * x - y * y) - centre[2]);
  const patch = disc(rim, 0, 32, 96, pressure);
  writer.node(
      {kind: 'patch', label: 'Contact patch'},
      {mesh: writer.mesh({...geometry(patch), values: {name: '_PRESSURE', array: patch.values}})});

  const volume = Math.PI * depth ** 2 * (r - depth / 3);
  const centroid = [0, 0, -(depth / 4) * ((4 * r - depth) / (3 * r - depth)) + 0];
  const dot = writer.mesh(geometry(ballPart(r / 60, [0, 0, 0], 0, Math.PI, 8, 16)));
  writer.node(
      {kind: 'centroid', label: 'Centroid', position: centroid, unit: 'm'},
      {mesh: dot, translation: centroid});
  const arrow = writer.mesh(geometry(arrowMesh()));
  const force = stiffness * volume;
  addArrow(
      writer, arrow, {
        label: 'Contact normal',
        quantity: 'normal',
        vector: [0, 0, 1],
        magnitude: 1,
        unit: '',
        contact: 'ball on block'
      },
      centroid, arrows[0] * r);
  addArrow(
      writer, arrow, {
        label: names.force,
        quantity: 'force',
        vector: [0, 0, force],
        magnitude: force,
        unit: 'N',
        contact: 'ball on block'
      },
      centroid, arrows[1] * r);
  const circle = Array.from(
      {length: 65},
      (_, i) => [rim * Math.cos((i * Math.PI) / 32), rim * Math.sin((i * Math.PI) / 32), 0]);
  writer.node(
      {kind: 'arcs', label: 'Arcs'}, {mesh: writer.mesh({points: circle, mode: LINE_STRIP})});

  const thin = depth < 1e-2 * r;
  const data = {
    version: 1,
    title: names.title,
    legend: {quantity: 'pressure', unit: 'Pa', min: 0, max: stiffness * depth, map: 'viridis'},
    scale: {length: 0.18, unit: 'm'},
    inset: thin ? {
      origin: [0, 0, -depth / 2],
      axis: [0, 0, 1],
      factor: Math.round((0.5 * rim) / depth),
      radius: 1.1 * rim
    } :
                  null,
    metrics: {
      schema: 1,
      overlap: true,
      volume,
      centroid,
      normal: [0, 0, 1],
      contact_area: Math.PI * rim ** 2,
      mean_height: volume / (Math.PI * rim ** 2),
      converged: true,
      method: 'closed_form',
      warnings: [],
    },
    run: null,
    ...extras,
  };
  return {glb: writer.bytes(data, change), data, pressure, rim, centroid, force, centre, r};
}

/** Height and state of a ball that bounces with restitution e, at time t; contacts last no time. */
function bounce(t, height, e, g) {
  let speed = Math.sqrt(2 * g * height);
  let at = speed / g;
  if (t < at) return {z: height - (g * t * t) / 2, events: []};
  const events = [];
  for (;;) {
    events.push(at);
    speed *= e;
    const flight = (2 * speed) / g;
    if (t < at + flight || flight < 0.05) {
      const s = Math.min(t - at, flight);
      return {z: Math.max(0, speed * s - (g * s * s) / 2), events};
    }
    at += flight;
  }
}

/**
 * A run: a ball bounces across a table, `seconds` long with 100 rows a second, forces at the
 * bounces.
 */
export function bouncingBall({seconds = 10, e = 0.85, rings = 32, names = {}} = {}) {
  const r = 0.05;
  const writer = new GlbWriter();
  const label = {ball: 'Ball', table: 'Table', contact: 'ball on table', ...names};
  const n = 100 * seconds + 1;
  const times = Array.from({length: n}, (_, i) => i / 100);
  const states = times.map((t) => bounce(t, 0.3, e, 9.81));
  const x = times.map((t) => -0.35 + (0.7 * t) / seconds);
  const z = states.map((s) => s.z + r);
  const events = states[n - 1].events.map((time) => ({time, name: 'impact'}));
  const near = times.map((t) => events.some((event) => Math.abs(event.time - t) < 0.015));
  const resting = times.map((t, i) => z[i] < r + 1e-9 && !near[i]);
  const force = times.map((t, i) => (near[i] ? [0, 0, 40] : resting[i] ? [0, 0, 5] : null));

  const surface = ballPart(r, [0, 0, 0], 0, Math.PI, rings, 2 * rings);
  const ball = writer.node(
      {kind: 'solid', label: label.ball, body: label.ball, side: null},
      {mesh: writer.mesh(geometry(surface))});
  const great = Array.from(
      {length: 65},
      (_, i) => [r * Math.cos((i * Math.PI) / 32), 0, r * Math.sin((i * Math.PI) / 32)]);
  writer.node(
      {kind: 'edges', label: 'edges'}, {mesh: writer.mesh({points: great, mode: LINE_STRIP})},
      ball);
  const table = box([-0.45, -0.2, -0.04], [0.45, 0.2, 0]);
  const tableNode = writer.node(
      {kind: 'solid', label: label.table, body: label.table, side: null},
      {mesh: writer.mesh(geometry(table.mesh))});
  writer.node(
      {kind: 'edges', label: 'edges'}, {mesh: writer.mesh({points: table.edges, mode: LINES})},
      tableNode);
  writer.node(
      {kind: 'trail', label: 'Path of the ball', body: label.ball},
      {mesh: writer.mesh({points: times.map((_, i) => [x[i], 0, z[i]]), mode: LINE_STRIP})});
  const arrow = addArrow(
      writer, writer.mesh(geometry(arrowMesh())), {
        label: 'Force',
        quantity: 'force',
        vector: [0, 0, 0],
        magnitude: 0,
        unit: 'N',
        contact: label.contact
      },
      [0, 0, 0], 1e-9);
  writer.motion(times, [
    {node: ball, path: 'translation', values: times.flatMap((_, i) => [x[i], 0, z[i]])},
    {
      node: ball,
      path: 'rotation',
      values: times.flatMap((t) => {
        const a = (t / seconds) * 7;
        return [0, Math.sin(a / 2), 0, Math.cos(a / 2)];
      })
    },
    {node: arrow, path: 'translation', values: times.flatMap((_, i) => [x[i], 0, 0])},
    {
      node: arrow,
      path: 'scale',
      values: force.flatMap((f) => Array(3).fill(f ? Math.max(1e-9, f[2] / 200) : 1e-9))
    },
  ]);
  const speed = times.map((_, i) => (i ? (z[i] - z[i - 1]) * 100 : 0));
  const data = {
    version: 1,
    title: 'A ball bounces across a table',
    legend: null,
    metrics: null,
    scale: {length: 0.9, unit: 'm'},
    inset: null,
    run: {
      times,
      contacts: [{name: label.contact, force, torque: null, point: null}],
      bodies: [label.ball, label.table],
      plots: [
        {
          title: 'Position of the ball',
          quantity: 'position',
          unit: 'm',
          x: 't',
          curves: [{name: 'x', values: x}, {name: 'z', values: z}]
        },
        {
          title: 'Velocity, upwards',
          quantity: 'velocity',
          unit: 'm/s',
          x: 't',
          curves: [{name: 'vz', values: speed}]
        },
        {
          title: 'Contact force',
          quantity: 'force',
          unit: 'N',
          x: 't',
          curves: [{name: 'Fz', values: force.map((f) => (f ? f[2] : null))}]
        },
      ],
      events,
      every: 1,
      thinned_from: n,
    },
  };
  return {glb: writer.bytes(data), data, times, x, z, force, events, r};
}

/** The page with a scene in it, as the tool writes it. */
export function pageWith(template, glb) {
  const base64 = Buffer.isBuffer(glb) ? glb.toString('base64') : glb;
  return template.replace(
      '<!--VOLCONTACT-SCENE-->',
      () => `<script type="application/octet-stream" id="volcontact-scene">${base64}</script>`);
}
