// From the bytes of a GLB to objects of three.js sorted by kind, in world coordinates with z up,
// looks not yet given.

import {Box3, Group, Quaternion, Vector3} from 'three';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';

import {SceneError, WRITE_ANEW} from './errors.js';
import {checkGlb} from './glb.js';
import {readNodeData, readSceneData} from './scene_data.js';

/**
 * @typedef {object} Item one node of ours
 * @property {object} data as readNodeData gives it
 * @property {Object3D} object the node
 * @property {Mesh[]} meshes triangles below it
 * @property {Object3D[]} lines lines below it (LineSegments, Line or LineLoop)
 * @property {Object3D[]} dots Points below it
 */

/** Kinds of nodes that belong to the one above. */
const PARTS = new Set(['surface', 'edges']);

function checkGeometry(geometry, name) {
  const position = geometry.getAttribute('position');
  if (!position)
    throw new SceneError(`The scene in this page is damaged: ${name} has no points. ${WRITE_ANEW}`);
  for (const [attribute, {array}] of Object.entries(geometry.attributes)) {
    for (let i = 0; i < array.length; i++) {
      if (Number.isFinite(array[i])) continue;
      // A height or a pressure may be unknown at a point; where that point lies may not.
      if (attribute.startsWith('_')) continue;
      throw new SceneError(`The scene in this page is damaged: ${attribute} ${i} of ${
          name} is not finite. ${WRITE_ANEW}`);
    }
  }
  const index = geometry.index;
  if (!index) return;
  for (let i = 0; i < index.count; i++) {
    if (index.array[i] >= position.count) {
      throw new SceneError(
          `The scene in this page is damaged: ${name} names point ${index.array[i]} of ` +
          `${position.count}. ${WRITE_ANEW}`);
    }
  }
}

/** three.js takes any numbers as motion, and a body then is nowhere. */
function checkMotion(clip) {
  for (const {name, times, values} of clip?.tracks ?? []) {
    for (const [what, numbers] of [['time', times], ['value', values]]) {
      const at = numbers.findIndex((v) => !Number.isFinite(v));
      if (at < 0) continue;
      throw new SceneError(`The scene in this page is damaged: ${what} ${at} of the motion ${
          name} is not finite. ${WRITE_ANEW}`);
    }
  }
}

function collect(item, object) {
  for (const child of object.children) {
    // A node of ours inside another one has its own item, but for the parts of a solid.
    const kind = child.userData.volcontact?.kind;
    if (kind === undefined || PARTS.has(kind)) collect(item, child);
  }
  if (object.isMesh)
    item.meshes.push(object);
  else if (object.isLine)
    item.lines.push(object);
  else if (object.isPoints)
    item.dots.push(object);
  else
    return;
  checkGeometry(object.geometry, `"${item.data.label}"`);
  if (object.isMesh && !object.geometry.getAttribute('normal'))
    object.geometry.computeVertexNormals();
}

function items(root) {
  const found = [];
  root.traverse((object) => {
    const extras = object.userData.volcontact;
    if (extras === undefined || object.parent === root)
      return;  // below the root: the scene, whose data are its own
    const data = readNodeData(extras, `node "${String(object.name).slice(0, 60)}"`);
    if (PARTS.has(data.kind) || data.kind === 'world') return;
    const item = {data, object, meshes: [], lines: [], dots: []};
    collect(item, object);
    found.push(item);
  });
  return found;
}

/** The scene's root turned so that the file's world coordinates (z up) are those of three.js. */
function upright(scene) {
  const root = new Group();
  const world = scene.children.find((child) => child.name === 'world') ?? scene.children[0];
  root.quaternion.copy(world ? world.quaternion.clone().invert() : new Quaternion());
  root.add(scene);
  root.updateMatrixWorld(true);
  return root;
}

/** The box of what is below these objects, where they stand now. */
export function boxOf(objects) {
  const box = new Box3();
  for (const object of objects) box.expandByObject(object);
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  return box;
}

/**
 * Reads a GLB.
 * @param {ArrayBuffer} buffer
 * @returns {Promise<{data: object, root: Group, items: Item[], clip: ?AnimationClip, triangles:
 *     number}>}
 * @throws {SceneError} whatever is wrong with it
 */
export async function readModel(buffer) {
  const json = checkGlb(buffer);
  const data = readSceneData(json.scenes[json.scene ?? 0]?.extras?.volcontact);
  let gltf;
  try {
    gltf = await new GLTFLoader().parseAsync(buffer, '');
  } catch (error) {
    throw new SceneError(`The scene in this page is damaged: ${error.message}. ${WRITE_ANEW}`);
  }
  checkMotion(gltf.animations[0]);
  const root = upright(gltf.scene);
  const found = items(root);
  if (!found.some((item) => item.meshes.length + item.lines.length + item.dots.length)) {
    throw new SceneError(`The scene in this page is empty: it has nothing to draw. ${WRITE_ANEW}`);
  }
  let triangles = 0;
  for (const item of found) {
    for (const {geometry} of item.meshes) {
      triangles +=
          (geometry.index ? geometry.index.count : geometry.getAttribute('position').count) / 3;
    }
  }
  return {data, root, items: found, clip: gltf.animations[0] ?? null, triangles};
}
