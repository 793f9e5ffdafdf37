// Intersects parts by Manifold: node manifold_peer.mjs MANIFOLD_JS SCENES
//
// SCENES holds 4-byte numbers, little-endian: how many scenes, and for each how many meshes; for
// each mesh its role (0 body of A, 1 hole of A, 2 body of B, 3 hole of B), its numbers of vertices
// and of triangles, then the coordinates in single precision, which is what the package takes, and
// the corners. Prints a line for each scene: CPU seconds to make the parts of the meshes, the
// median of the CPU seconds of an intersection with its volume, and that volume.

import fs from 'node:fs';
import process from 'node:process';
import {pathToFileURL} from 'node:url';

// As in support.cc.
const kFewRuns = 3, kFewRunsSeconds = 2.0, kManyRuns = 100, kManyRunsSeconds = 0.2;

const [modulePath, scenesPath] = process.argv.slice(2);
const {default: load} = await import(pathToFileURL(modulePath).href);
const wasm = await load();
wasm.setup();
const {Manifold, Mesh} = wasm;

function cpuSeconds() {
  const {user, system} = process.cpuUsage();
  return 1e-6 * (user + system);
}

function* readScenes() {
  const bytes = fs.readFileSync(scenesPath);
  const integers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let next = 0;
  for (let scenes = integers[next++]; scenes > 0; --scenes) {
    const parts = [[], [], [], []];
    for (let meshes = integers[next++]; meshes > 0; --meshes) {
      const [role, vertices, triangles] = integers.subarray(next, next += 3);
      const points = integers.subarray(next, next += 3 * vertices);
      const corners = integers.subarray(next, next += 3 * triangles);
      parts[role].push(new Mesh({
        numProp: 3,
        vertProperties: new Float32Array(points.buffer, points.byteOffset, points.length),
        triVerts: corners,
      }));
    }
    yield parts;
  }
}

// Booleans are carried out when something is asked of their result.
function makePart(bodies, holes) {
  const solids = (meshes) => meshes.map((mesh) => new Manifold(mesh));
  let part = Manifold.union(solids(bodies));
  if (holes.length > 0) part = Manifold.difference([part, ...solids(holes)]);
  part.numTri();
  return part;
}

function intersect(a, b) {
  const overlap = a.intersect(b);
  const volume = overlap.volume();
  overlap.delete();
  return volume;
}

for (const [bodiesA, holesA, bodiesB, holesB] of readScenes()) {
  const start = cpuSeconds();
  const a = makePart(bodiesA, holesA), b = makePart(bodiesB, holesB);
  const making = cpuSeconds() - start;
  const times = [];
  let volume = 0, sum = 0;
  while ((times.length < kFewRuns && sum < kFewRunsSeconds) ||
         (times.length < kManyRuns && sum < kManyRunsSeconds)) {
    const before = cpuSeconds();
    volume = intersect(a, b);
    times.push(cpuSeconds() - before);
    sum += times.at(-1);
  }
  times.sort((p, q) => p - q);
  const n = times.length, median = (times[(n - 1) >> 1] + times[n >> 1]) / 2;
  console.log(`${making} ${median} ${volume}`);
  a.delete();
  b.delete();
}
