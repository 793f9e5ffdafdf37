// A small writer of binary glTF for scenes made in tests, by the same conventions as `volcontact
// view`.

const COMPONENTS = {
  Float32Array: 5126,
  Uint32Array: 5125
};
const WIDTHS = {
  SCALAR: 1,
  VEC3: 3,
  VEC4: 4
};
export const TRIANGLES = 4;
export const LINES = 1;
export const LINE_STRIP = 3;

export class GlbWriter {
  constructor() {
    const half = Math.SQRT1_2;
    this.json = {
      asset: {version: '2.0'},
      scene: 0,
      scenes: [{nodes: [0]}],
      nodes: [{name: 'world', rotation: [-half, 0, 0, half], children: []}],
      materials: [{
        alphaMode: 'BLEND',
        doubleSided: true,
        pbrMetallicRoughness: {baseColorFactor: [0.6, 0.6, 0.6, 0.35]}
      }],
      meshes: [],
      accessors: [],
      bufferViews: [],
      buffers: [],
      animations: [],
    };
    this.pieces = [];
    this.size = 0;
  }

  accessor(array, type) {
    this.json.bufferViews.push({buffer: 0, byteOffset: this.size, byteLength: array.byteLength});
    this.pieces.push(Buffer.from(array.buffer, array.byteOffset, array.byteLength));
    this.size += array.byteLength;
    const width = WIDTHS[type];
    const accessor = {
      bufferView: this.json.bufferViews.length - 1,
      componentType: COMPONENTS[array.constructor.name],
      count: array.length / width,
      type,
    };
    const range = Array.from({length: width}, (_, k) => array.filter((_, i) => i % width === k));
    accessor.min = range.map((values) => values.reduce((a, b) => Math.min(a, b), Infinity));
    accessor.max = range.map((values) => values.reduce((a, b) => Math.max(a, b), -Infinity));
    return this.json.accessors.push(accessor) - 1;
  }

  /** {points, normals?, triangles?, values?: {name, array}, mode} → number of the mesh */
  mesh({points, normals, triangles, values, mode = TRIANGLES}) {
    const attributes = {POSITION: this.accessor(new Float32Array(points.flat()), 'VEC3')};
    if (normals) attributes.NORMAL = this.accessor(new Float32Array(normals.flat()), 'VEC3');
    if (values) attributes[values.name] = this.accessor(new Float32Array(values.array), 'SCALAR');
    const primitive = {attributes, mode, material: 0};
    if (triangles) primitive.indices = this.accessor(new Uint32Array(triangles.flat()), 'SCALAR');
    return this.json.meshes.push({primitives: [primitive]}) - 1;
  }

  /** A node with our data; returns its number. */
  node(data, properties = {}, parent = 0) {
    const number = this.json.nodes.push(
                       {name: data.label ?? data.kind, extras: {volcontact: data}, ...properties}) -
        1;
    this.json.nodes[parent].children ??= [];
    this.json.nodes[parent].children.push(number);
    return number;
  }

  /** channels: [{node, path, values: flat array}] over common times */
  motion(times, channels) {
    const input = this.accessor(new Float32Array(times), 'SCALAR');
    const animation = {name: 'motion', samplers: [], channels: []};
    for (const {node, path, values} of channels) {
      const output = this.accessor(new Float32Array(values), path === 'rotation' ? 'VEC4' : 'VEC3');
      animation.samplers.push({input, output, interpolation: 'LINEAR'});
      animation.channels.push({sampler: animation.samplers.length - 1, target: {node, path}});
    }
    this.json.animations.push(animation);
  }

  /** The file; `change` may spoil the JSON first, as an object or as its text. */
  bytes(sceneData, change = (json) => json) {
    const json = structuredClone(this.json);
    if (sceneData !== undefined) json.scenes[0].extras = {volcontact: sceneData};
    json.buffers = [{byteLength: this.size}];
    if (json.animations.length === 0) delete json.animations;
    const changed = change(json);
    const text = Buffer.from(typeof changed === 'string' ? changed : JSON.stringify(changed));
    const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
    const binary = Buffer.concat(this.pieces);
    const header = Buffer.alloc(20);
    header.writeUInt32LE(0x46546c67, 0);
    header.writeUInt32LE(2, 4);
    header.writeUInt32LE(28 + padded.length + binary.length, 8);
    header.writeUInt32LE(padded.length, 12);
    header.writeUInt32LE(0x4e4f534a, 16);
    const chunk = Buffer.alloc(8);
    chunk.writeUInt32LE(binary.length, 0);
    chunk.writeUInt32LE(0x004e4942, 4);
    return Buffer.concat([header, padded, chunk, binary]);
  }
}
