// What is under the pointer: arrows and points within a few pixels first, then patch, overlap and
// bodies by rays. A click keeps the numbers until the next one.

import {Raycaster, Triangle, Vector2, Vector3} from 'three';

import {element} from './dom.js';
import {arrowScale} from './materials.js';
import {formatQuantity} from './numbers.js';
import {reading} from './readings.js';

const NEAR = 9;   // pixels
const STILL = 4;  // pixels that a click may move
const RANKS = {
  patch: 1,
  overlap: 2,
  solid: 3
};

/** Whether an object and all above it are shown. */
function isShown(object) {
  for (let at = object; at; at = at.parent)
    if (!at.visible) return false;
  return true;
}

function distanceToSegment(p, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const t =
      length > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/** The ends of an arrow in the world: its mesh goes along z. Of a point: its middle, twice. */
function endsOf(item) {
  const {object, data} = item;
  const at = (x, y, z) => object.localToWorld(new Vector3(x, y, z));
  if (data.kind === 'arrow') return [at(0, 0, 0), at(0, 0, (item.length ?? 1) * arrowScale.value)];
  if (data.position) return [new Vector3(...data.position), new Vector3(...data.position)];
  return [at(0, 0, 0), at(0, 0, 0)];
}

/** A value interpolated in the triangle that a ray has met. */
function valueAtHit(hit) {
  const quantity = hit.object.geometry.getAttribute('quantity');
  if (!quantity || !hit.face) return null;
  const position = hit.object.geometry.getAttribute('position');
  const corners = [hit.face.a, hit.face.b, hit.face.c];
  const points = corners.map((i) => new Vector3().fromBufferAttribute(position, i));
  const local = hit.object.worldToLocal(hit.point.clone());
  const weights = Triangle.getBarycoord(local, ...points, new Vector3());
  if (!weights) return null;
  return weights.x * quantity.getX(corners[0]) + weights.y * quantity.getX(corners[1]) +
      weights.z * quantity.getX(corners[2]);
}

export class Hover {
  /** @param {object} context {canvas, eye, model, legend, inset, motion, tooltip, request} */
  constructor(context) {
    Object.assign(this, context);
    this.pointer = null;
    this.pinned = null;  // an item chosen in the list
    this.held = false;   // the numbers stay where a click has asked for them
    this.pressed = null;
    this.item = null;
    this.ray = new Raycaster();
    this.ray.layers.enableAll();
    const {canvas} = this;
    canvas.addEventListener('pointermove', (event) => {
      this.pinned = null;
      if (this.held && event.buttons === 0) return;
      this.pointer =
          event.buttons === 0 || event.pointerType === 'touch' ? this.#place(event) : null;
      this.request();
    });
    canvas.addEventListener('pointerdown', (event) => {
      this.pinned = null;
      this.held = false;
      this.pressed = this.#place(event);
      this.pointer = event.pointerType === 'touch' ? this.#place(event) : null;
      this.request();
    });
    canvas.addEventListener('pointerup', (event) => this.#hold(event));
    canvas.addEventListener('pointerleave', () => {
      if (this.held) return;
      this.pointer = null;
      this.request();
    });
  }

  /** After a click, not a drag, that hit something. */
  #hold(event) {
    const {pressed} = this;
    const at = this.#place(event);
    this.pressed = null;
    if (!pressed || Math.hypot(at.x - pressed.x, at.y - pressed.y) > STILL) return;
    this.pointer = at;
    this.held = this.#find() !== null;
    this.request();
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  /** A point of the world in CSS pixels of the canvas. */
  project(point) {
    const v = point.clone().project(this.eye.camera);
    const box = this.canvas.getBoundingClientRect();
    return {x: ((v.x + 1) / 2) * box.width, y: ((1 - v.y) / 2) * box.height, behind: v.z > 1};
  }

  #nearArrow() {
    let best = null;
    let least = NEAR;
    for (const item of this.model.items) {
      if (item.data.kind !== 'arrow' && item.data.kind !== 'centroid' && item.data.kind !== 'point')
        continue;
      if (!isShown(item.object) || item.object.scale.x === 0) continue;
      const [a, b] = endsOf(item).map((end) => this.project(end));
      if (a.behind || b.behind) continue;
      const distance = distanceToSegment(this.pointer, a, b);
      // A point at the foot of an arrow counts more than the arrow.
      const counted = item.data.kind === 'arrow' ? distance : distance - 3;
      if (counted < least) [best, least] = [item, counted];
    }
    return best;
  }

  #hit() {
    const inInset = this.inset?.locate(this.canvas, this.pointer.x, this.pointer.y);
    const items = new Map();
    let camera = this.eye.camera;
    let at = inInset;
    if (inInset) {
      camera = this.inset.camera;
      for (const {copy, item} of this.inset.pairs)
        copy.traverse((object) => object.isMesh && items.set(object, item));
    } else {
      const box = this.canvas.getBoundingClientRect();
      at = {x: (2 * this.pointer.x) / box.width - 1, y: 1 - (2 * this.pointer.y) / box.height};
      for (const item of this.model.items) {
        if (RANKS[item.layer])
          for (const mesh of item.meshes) items.set(mesh, item);
      }
    }
    this.ray.setFromCamera(new Vector2(at.x, at.y), camera);
    const targets =
        [...items.keys()].filter((mesh) => RANKS[items.get(mesh).layer] && isShown(mesh));
    const hits = this.ray.intersectObjects(targets, false)
                     .map((hit) => ({hit, item: items.get(hit.object)}))
                     .sort(
                         (a, b) => RANKS[a.item.layer] - RANKS[b.item.layer] ||
                             a.hit.distance - b.hit.distance);
    return hits[0] ?? null;
  }

  #find() {
    const inInset = this.inset?.locate(this.canvas, this.pointer.x, this.pointer.y);
    const arrow = inInset ? null : this.#nearArrow();
    if (arrow) return {item: arrow, extra: []};
    const found = this.#hit();
    if (!found) return null;
    const value = valueAtHit(found.hit);
    const extra = value === null || !this.legend ?
        [] :
        [[this.legend.quantity, formatQuantity(value, this.legend.unit)]];
    return {item: found.item, extra};
  }

  /** Shows the numbers of an item at its place, as the pointer would. */
  pin(item) {
    this.pinned = item;
    this.pointer = null;
    this.request();
  }

  update() {
    let found = null;
    let place = this.pointer;
    if (this.pinned) {
      found = {item: this.pinned, extra: []};
      place = this.project(endsOf(this.pinned)[1]);
    } else if (this.pointer) {
      found = this.#find();
    }
    this.item = found?.item ?? null;
    this.tooltip.hidden = !found;
    if (found) this.#show(reading(found.item, this.motion, found.extra), place);
  }

  #show({title, rows}, place) {
    const table = element('dl', {});
    for (const [name, value] of rows)
      table.append(element('dt', {}, name), element('dd', {}, value));
    this.tooltip.replaceChildren(element('strong', {}, title), table);
    const box = this.canvas.getBoundingClientRect();
    const {offsetWidth: width, offsetHeight: height} = this.tooltip;
    const x = place.x + 16 + width > box.width ? place.x - 16 - width : place.x + 16;
    const y = Math.min(Math.max(4, place.y + 12), box.height - height - 4);
    this.tooltip.style.transform = `translate(${Math.max(4, x).toFixed(0)}px, ${y.toFixed(0)}px)`;
  }
}
