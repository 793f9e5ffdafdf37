// The kinds of things in a scene: how they are named, in which order they are drawn and listed,
// what is shown at first.

/**
 * Draw order: bodies from their far walls to their near ones, then what must keep its own colours.
 */
export const ORDER = {
  back: 10,
  hiddenEdges: 20,
  veil: 30,
  depth: 31,
  front: 32,
  edges: 33,
  overlap: 40,
  patch: 50,
  lines: 60,
  arrows: 70,
};

/** Layers of three.js: bodies are drawn first, and what is in them then shows through. */
export const BODY_LAYER = 0;
export const INNER_LAYER = 1;

/**
 * What has a checkbox besides the bodies: key of the checkbox, text, keyboard key, shown at first.
 */
export const LAYERS = [
  {id: 'edges', text: 'Edges', key: 'e', shown: true},
  {id: 'overlap', text: 'Overlap', key: 'o', shown: true},
  {id: 'patch', text: 'Contact patch', key: 'c', shown: true},
  {id: 'centroid', text: 'Centroid', key: 'm', shown: true},
  {id: 'point', text: 'Points', key: 'd', shown: true},
  {id: 'normal', text: 'Normals', key: 'n', shown: true},
  {id: 'force', text: 'Forces', key: 'r', shown: true},
  {id: 'torque', text: 'Torques', key: 'q', shown: true},
  {id: 'area_vector', text: 'Area vectors', key: 'j', shown: true},
  {id: 'velocity', text: 'Velocities', key: 'v', shown: true},
  {id: 'arcs', text: 'Arcs of the overlap', key: 'k', shown: true},
  {id: 'cells', text: 'Octree cells', key: 'u', shown: true},
  {id: 'trail', text: 'Trails', key: 'l', shown: true},
  {id: 'axes', text: 'Axes at the origin', key: 'w', shown: true},
  {id: 'other', text: 'Other parts', key: '', shown: true},
];

const IDS = new Set(LAYERS.map((layer) => layer.id));

/** The checkbox a node of ours hangs on; 'solid' for bodies, which have one each. */
export function layerOf(data) {
  if (data.kind === 'solid') return 'solid';
  const id = data.kind === 'arrow' ? data.quantity : data.kind;
  return IDS.has(id) ? id : 'other';
}

/** The name of an arrow's quantity in a sentence. */
export const QUANTITY_NAMES = {
  normal: 'Contact normal',
  force: 'Force',
  torque: 'Torque',
  area_vector: 'Area vector',
  velocity: 'Velocity',
};
