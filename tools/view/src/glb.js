// The container of the scene: base64 text in the page, a binary glTF 2.0 in it. What the loader of
// three.js would take on trust is checked first, so that a damaged or hostile file ends in a
// message, not in a hang or in a request.

import {SceneError, WRITE_ANEW} from './errors.js';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;

function damaged(what) {
  throw new SceneError(`The scene in this page is damaged: ${what}. ${WRITE_ANEW}`);
}

/** The bytes of the script element with this text. */
export function decodeScene(base64) {
  let binary;
  try {
    binary = atob(base64.trim());
  } catch {
    damaged('it is not base64 text');
  }
  if (binary.length === 0) damaged('it is empty');
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

function readJson(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 20 || view.getUint32(0, true) !== MAGIC)
    damaged('it is no binary glTF file');
  if (view.getUint32(4, true) !== 2) damaged('it is not glTF 2.0');
  if (view.getUint32(8, true) !== buffer.byteLength) {
    damaged(`it has ${buffer.byteLength} bytes where its header says ${view.getUint32(8, true)}`);
  }
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK || 20 + length > buffer.byteLength)
    damaged('its first chunk is not JSON');
  try {
    return JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, length)));
  } catch (error) {
    return damaged(`its JSON cannot be read (${error.message})`);
  }
}

/** Every node has one parent at most, and none is its own ancestor. */
function checkTree(nodes) {
  const parent = new Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => {
    for (const child of node?.children ?? []) {
      if (!Number.isInteger(child) || child < 0 || child >= nodes.length)
        damaged(`node ${i} has a child that is not there`);
      if (parent[child] !== -1) damaged(`node ${child} has two parents`);
      parent[child] = i;
    }
  });
  const seen = new Array(nodes.length).fill(0);
  for (let i = 0; i < nodes.length; i++) {
    // Each walk marks its nodes with its number, and stops where an earlier one has been.
    for (let at = i; at !== -1 && seen[at] !== i + 1; at = parent[at]) {
      if (seen[at]) break;
      seen[at] = i + 1;
      if (parent[at] !== -1 && seen[parent[at]] === i + 1)
        damaged(`node ${at} is its own ancestor`);
    }
  }
}

/**
 * Checks the container and what must hold before the loader runs.
 * @returns {object} the glTF's JSON
 */
export function checkGlb(buffer) {
  const json = readJson(buffer);
  if (typeof json !== 'object' || json === null) damaged('its JSON is no object');
  for (const name of ['nodes', 'meshes', 'buffers', 'scenes', 'accessors']) {
    if (json[name] !== undefined && !Array.isArray(json[name])) damaged(`its ${name} are no list`);
  }
  if (!json.scenes?.length) damaged('it has no scene');
  if (json.buffers?.some((b) => b?.uri !== undefined)) damaged('it wants data from elsewhere');
  if (json.images?.length || json.textures?.length)
    damaged('it has pictures, which volcontact writes none of');
  if (json.extensionsRequired?.length)
    damaged(`it needs the extension ${String(json.extensionsRequired[0]).slice(0, 60)}`);
  json.meshes?.forEach((mesh, i) => {
    if (!Array.isArray(mesh?.primitives) || mesh.primitives.length === 0)
      damaged(`mesh ${i} has nothing to draw`);
  });
  checkTree(json.nodes ?? []);
  return json;
}
