// Gives the items of a model their looks, and their checkboxes' state: materials, draw order, wide lines, theme.

import { Color, LineBasicMaterial, Mesh, PointsMaterial, SRGBColorSpace } from 'three';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { layerOf, ORDER } from './kinds.js';
import {
  arrowMaterial, bodyMaterials, lineMaterial, overlapMaterial, patchMaterial, plainPatchMaterial, setBodyOpacity,
  setColour,
} from './materials.js';
import { bodyColour, partColour } from './palette.js';

/** More segments than this are drawn as the graphics card's own thin lines. */
const MOST_WIDE = 30000;
const LINE_WIDTHS = { edges: 1.1, arcs: 2.2, cells: 1, trail: 2 };
const LINE_OPACITY = { edges: 0.5, arcs: 1, cells: 0.45, trail: 0.9 };

/** The ends of all segments of lines of three.js, one after the other. */
function segments(line) {
  const position = line.geometry.getAttribute('position');
  const index = line.geometry.index;
  const at = (i) => (index ? index.getX(i) : i);
  const count = index ? index.count : position.count;
  const ends = [];
  const push = (i) => ends.push(position.getX(at(i)), position.getY(at(i)), position.getZ(at(i)));
  if (line.isLineSegments) {
    for (let i = 0; i + 1 < count; i += 2) { push(i); push(i + 1); }
  } else {
    for (let i = 0; i + 1 < count; i++) { push(i); push(i + 1); }
    if (line.isLineLoop && count > 2) { push(count - 1); push(0); }
  }
  return new Float32Array(ends);
}

/** Replaces lines by wide ones of this layer, and returns what is drawn. */
function styleLine(line, layer) {
  const ends = segments(line);
  if (ends.length === 0 || ends.length / 6 > MOST_WIDE) {
    line.material = new LineBasicMaterial({ transparent: true, opacity: LINE_OPACITY[layer] ?? 1, depthWrite: false });
    return line;
  }
  const wide = new LineSegments2(new LineSegmentsGeometry().setPositions(ends),
    lineMaterial(LINE_WIDTHS[layer] ?? 1.5, LINE_OPACITY[layer] ?? 1));
  wide.position.copy(line.position);
  wide.quaternion.copy(line.quaternion);
  wide.scale.copy(line.scale);
  line.parent.add(wide);
  line.parent.remove(line);
  return wide;
}

function quantityOf(geometry) {
  return geometry.getAttribute('_pressure') ?? geometry.getAttribute('_height') ?? null;
}

export class Looks {
  /**
   * @param {object} model as readModel gives it
   * @param {number} pull how far overlap and patch are moved towards the eye in the depth test [m]
   */
  constructor(model, pull) {
    this.legend = model.data.legend;
    this.pull = pull;
    this.painted = []; // {materials, colour(theme)}
    this.layers = new Map(); // layer id → objects whose visibility is the checkbox's
    this.bodies = []; // {name, side, item, number}
    for (const item of model.items) this.#style(item);
  }

  #add(layer, object) {
    if (!this.layers.has(layer)) this.layers.set(layer, []);
    this.layers.get(layer).push(object);
  }

  #paint(material, colour) {
    this.painted.push({ material, colour });
  }

  #style(item) {
    const layer = layerOf(item.data);
    item.layer = layer;
    if (layer === 'solid') {
      this.#styleBody(item);
      return;
    }
    if (layer === 'overlap') this.#styleMeshes(item, () => overlapMaterial(this.pull), ORDER.overlap);
    else if (layer === 'patch') this.#stylePatch(item);
    else this.#styleMeshes(item, arrowMaterial, ORDER.arrows);
    item.lines = item.lines.map((line) => {
      const drawn = styleLine(line, layer);
      drawn.renderOrder = ORDER.lines;
      this.#paint(drawn.material, (theme) => partColour(theme, layer));
      return drawn;
    });
    for (const dots of item.dots) {
      dots.material = new PointsMaterial({ size: 9, sizeAttenuation: false, transparent: true, depthTest: false });
      dots.renderOrder = ORDER.arrows;
      this.#paint(dots.material, (theme) => partColour(theme, layer));
    }
    this.#add(layer, item.object);
  }

  #styleMeshes(item, create, order) {
    for (const mesh of item.meshes) {
      mesh.material = create();
      mesh.renderOrder = order;
      this.#paint(mesh.material, (theme) => partColour(theme, item.layer));
    }
  }

  #stylePatch(item) {
    for (const mesh of item.meshes) {
      const quantity = quantityOf(mesh.geometry);
      const pull = 2 * this.pull;
      if (quantity && this.legend) {
        mesh.geometry.setAttribute('quantity', quantity);
        mesh.material = patchMaterial(this.legend, pull);
      } else {
        mesh.material = plainPatchMaterial(mesh.geometry.getAttribute('color') !== undefined, pull);
      }
      mesh.renderOrder = ORDER.patch;
    }
  }

  #styleBody(item) {
    const number = this.bodies.length;
    const colour = (theme) => bodyColour(theme, item.data.side, number);
    const materials = bodyMaterials();
    item.meshes = item.meshes.map((mesh) => {
      mesh.material = materials.front;
      mesh.renderOrder = ORDER.front;
      const back = new Mesh(mesh.geometry, materials.back);
      back.renderOrder = ORDER.back;
      back.raycast = () => {};
      mesh.add(back);
      return mesh;
    });
    this.#paint(materials.front, colour);
    this.#paint(materials.back, colour);
    item.lines = item.lines.map((line) => {
      const drawn = styleLine(line, 'edges');
      drawn.renderOrder = ORDER.edges;
      this.#paint(drawn.material, (theme) => edgeColour(colour(theme), theme));
      this.#add('edges', drawn);
      return drawn;
    });
    this.bodies.push({ name: item.data.body, side: item.data.side, item, number, materials });
  }

  setTheme(theme) {
    for (const { material, colour } of this.painted) setColour(material, colour(theme));
  }

  setOpacity(opacity) {
    for (const { materials } of this.bodies) setBodyOpacity(materials, opacity);
  }

  setLayer(layer, shown) {
    for (const object of this.layers.get(layer) ?? []) object.visible = shown;
  }

  setBody(number, shown) {
    this.bodies[number].item.object.visible = shown;
  }
}

/** The body's own colour, darker on light ground and lighter on dark ground. */
function edgeColour(colour, theme) {
  const edge = new Color(colour);
  const { h, s, l } = edge.getHSL({}, SRGBColorSpace);
  edge.setHSL(h, 0.8 * s, theme === 'light' ? 0.55 * l : Math.min(0.88, 1.25 * l), SRGBColorSpace);
  return `#${edge.getHexString()}`;
}
