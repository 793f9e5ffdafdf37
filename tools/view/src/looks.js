// Gives the items of a model their looks, and their checkboxes' state: materials, draw order, wide
// lines, theme.

import {Color, LineBasicMaterial, Mesh, SRGBColorSpace} from 'three';
import {LineSegments2} from 'three/examples/jsm/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

import {INNER_LAYER, layerOf, ORDER} from './kinds.js';
import {arrowMaterial, bodyMaterials, dotMaterial, lineMaterial, OPAQUE, overlapMaterial, patchMaterial, plainPatchMaterial, setBodyOpacity, setColour,} from './materials.js';
import {bodyColour, partColour, stayingColour} from './palette.js';

/** More segments than this are drawn as the graphics card's own thin lines. */
const MOST_WIDE = 30000;
const LINE_WIDTHS = {
  edges: 1.1,
  arcs: 2.2,
  cells: 1,
  trail: 2
};
const LINE_OPACITY = {
  edges: 0.5,
  arcs: 1,
  cells: 0.45,
  trail: 0.9
};

/**
 * Arrows at one contact often start at one point and go the same way, at times as far: each is seen
 * in front of the next thicker one, whose rims are seen beside it.
 */
const PULL_TIMES = {
  torque: 4,
  force: 4,
  velocity: 5,
  area_vector: 6,
  normal: 8,
  centroid: 10,
  point: 10
};

const ARROW_WIDTHS = {
  force: 1.9,
  area_vector: 1.15,
  normal: 0.55
};

/** The ends of all segments of lines of three.js, one after the other. */
function segments(line) {
  const position = line.geometry.getAttribute('position');
  const index = line.geometry.index;
  const at = (i) => (index ? index.getX(i) : i);
  const count = index ? index.count : position.count;
  const ends = [];
  const push = (i) => ends.push(position.getX(at(i)), position.getY(at(i)), position.getZ(at(i)));
  if (line.isLineSegments) {
    for (let i = 0; i + 1 < count; i += 2) {
      push(i);
      push(i + 1);
    }
  } else {
    for (let i = 0; i + 1 < count; i++) {
      push(i);
      push(i + 1);
    }
    if (line.isLineLoop && count > 2) {
      push(count - 1);
      push(0);
    }
  }
  return new Float32Array(ends);
}

/**
 * Gives lines the looks of this layer, and returns what is drawn: wide lines below the node, which
 * itself stays (it is what checkboxes hide and the inset copies) and draws nothing.
 */
function styleLine(line, layer) {
  const ends = segments(line);
  if (ends.length === 0 || ends.length / 6 > MOST_WIDE) {
    line.material = new LineBasicMaterial(
        {transparent: true, opacity: LINE_OPACITY[layer] ?? 1, depthWrite: false});
    return line;
  }
  const wide = new LineSegments2(
      new LineSegmentsGeometry().setPositions(ends),
      lineMaterial(LINE_WIDTHS[layer] ?? 1.5, LINE_OPACITY[layer] ?? 1));
  line.material = new LineBasicMaterial({visible: false});
  line.add(wide);
  return wide;
}

/** Nodes that the animation moves. */
function movingNodes(model) {
  const names = new Set(
      (model.clip?.tracks ?? []).map((track) => track.name.slice(0, track.name.lastIndexOf('.'))));
  const moving = new Set();
  model.root.traverse(
      (object) => (names.has(object.name) || names.has(object.uuid)) && moving.add(object));
  return moving;
}

/** The file draws solids translucent, and what has no inside opaque. */
function isSolid(item) {
  return item.meshes.some((mesh) => mesh.material.transparent);
}

function quantityOf(geometry) {
  return geometry.getAttribute('_pressure') ?? geometry.getAttribute('_height') ?? null;
}

export class Looks {
  /**
   * @param {object} model as readModel gives it
   */
  constructor(model) {
    this.legend = model.data.legend;
    this.isRun = model.data.run !== null;
    this.moving = movingNodes(model);
    this.painted = [];        // {materials, colour(theme)}
    this.layers = new Map();  // layer id → objects whose visibility is the checkbox's
    this.bodies = [];         // {name, side, stays, colour, items, materials, solid}
    for (const item of model.items) this.#style(item);
  }

  #add(layer, object) {
    if (!this.layers.has(layer)) this.layers.set(layer, []);
    this.layers.get(layer).push(object);
  }

  #paint(material, colour) {
    this.painted.push({material, colour});
  }

  #style(item) {
    const layer = layerOf(item.data);
    item.layer = layer;
    if (layer === 'solid') {
      this.#styleBody(item);
      return;
    }
    if (layer === 'overlap')
      this.#styleMeshes(item, () => overlapMaterial(), ORDER.overlap);
    else if (layer === 'patch')
      this.#stylePatch(item);
    else if (item.data.kind === 'arrow')
      this.#styleMeshes(
          item, () => arrowMaterial(PULL_TIMES[layer] ?? 2, ARROW_WIDTHS[layer] ?? 1),
          ORDER.arrows);
    else
      this.#styleMeshes(item, () => overlapMaterial(PULL_TIMES[layer]), ORDER.arrows);
    item.lines = item.lines.map((line) => {
      const drawn = styleLine(line, layer);
      drawn.renderOrder = ORDER.lines;
      this.#paint(drawn.material, (theme) => this.#lineColour(item, theme));
      return drawn;
    });
    for (const dots of item.dots) {
      dots.material = dotMaterial();
      dots.renderOrder = ORDER.arrows;
      this.#paint(dots.material, (theme) => partColour(theme, layer));
    }
    item.object.traverse((object) => object.layers.set(INNER_LAYER));
    this.#add(layer, item.object);
  }

  /** A trail has its body's colour. */
  #lineColour({layer, data}, theme) {
    const body = layer === 'trail' ? this.bodies.find(({name}) => name === data.body) : null;
    return body ? body.colour(theme) : partColour(theme, layer);
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
      if (quantity && this.legend) {
        mesh.geometry.setAttribute('quantity', quantity);
        mesh.material = patchMaterial(this.legend);
      } else {
        mesh.material = plainPatchMaterial(mesh.geometry.getAttribute('color') !== undefined);
      }
      mesh.renderOrder = ORDER.patch;
    }
  }

  /**
   * The body that an item is a part of: a body of several solids has one colour and one checkbox.
   */
  #bodyOf(item) {
    const {body: name, side} = item.data;
    let body = this.bodies.find((known) => known.name === name && known.side === side);
    if (!body) {
      const stays = this.isRun && !this.moving.has(item.object);
      const number = this.bodies.filter((known) => !known.stays).length;
      const colour = stays ? stayingColour : (theme) => bodyColour(theme, side, number);
      body =
          {name, side, stays, colour, items: [], materials: bodyMaterials(), solid: isSolid(item)};
      for (const material of Object.values(body.materials)) this.#paint(material, colour);
      this.bodies.push(body);
    }
    body.items.push(item);
    return body;
  }

  #styleBody(item) {
    const {colour, materials} = this.#bodyOf(item);
    for (const mesh of item.meshes) {
      mesh.material = materials.front;
      mesh.renderOrder = ORDER.front;
      for (const name of ['back', 'veil', 'depth']) {
        const wall = new Mesh(mesh.geometry, materials[name]);
        wall.renderOrder = ORDER[name];
        wall.raycast = () => {};
        mesh.add(wall);
      }
    }
    const edges = item.lines.flatMap((line) => {
      // All edges faintly behind the near walls, and those in front of them once more.
      const drawn = styleLine(line, 'edges');
      const visible = drawn.clone();
      visible.material = drawn.material.clone();
      drawn.material.depthTest = false;
      drawn.renderOrder = ORDER.hiddenEdges;
      visible.renderOrder = ORDER.edges;
      drawn.parent.add(visible);
      return [drawn, visible];
    });
    for (const line of edges) {
      this.#paint(line.material, (theme) => edgeColour(colour(theme), theme));
      this.#add('edges', line);
    }
    item.lines = edges;
  }

  setTheme(theme) {
    for (const {material, colour} of this.painted) setColour(material, colour(theme));
  }

  /** What is no solid (rods, drawn bodies without a shape) stays opaque. */
  setOpacity(opacity) {
    for (const {materials, solid} of this.bodies) setBodyOpacity(materials, solid ? opacity : 1);
    this.opaque = opacity >= OPAQUE;
  }

  setLayer(layer, shown) {
    for (const object of this.layers.get(layer) ?? []) object.visible = shown;
  }

  setBody(number, shown) {
    for (const {object} of this.bodies[number].items) object.visible = shown;
  }
}

/** The body's own colour, darker on light ground and lighter on dark ground. */
function edgeColour(colour, theme) {
  const edge = new Color(colour);
  const {h, s, l} = edge.getHSL({}, SRGBColorSpace);
  edge.setHSL(h, 0.8 * s, theme === 'light' ? 0.55 * l : Math.min(0.88, 1.25 * l), SRGBColorSpace);
  return `#${edge.getHexString()}`;
}
