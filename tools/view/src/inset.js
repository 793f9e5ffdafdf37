// The second picture for contacts too thin to be seen: overlap and patch, magnified along the
// normal by a factor that stands beside them, seen from the same side as the large picture.

import {Box3, Group, Matrix4, OrthographicCamera, Scene, Sphere, Vector3} from 'three';

import {setText} from './dom.js';
import {pull} from './materials.js';
import {formatNumber} from './numbers.js';
import {ScaleBar} from './scale_bar.js';
import {Stage} from './stage.js';

// What has a body of its own size (the dot of the centroid, arrows) would be stretched beyond
// recognition.
const SHOWN = new Set(['overlap', 'patch', 'arcs', 'cells']);
const MARGIN = 1.15;
/**
 * The parts lie in each other's faces, and are stretched alike: a hair's breadth tells which is
 * seen.
 */
const PULL = 4e-3;

/** Points p + axis ((factor − 1) axis·(p − origin)). */
function stretch({origin, axis, factor}) {
  const [x, y, z] = axis;
  const g = factor - 1;
  const along = origin[0] * x + origin[1] * y + origin[2] * z;
  return new Matrix4().set(
      1 + g * x * x, g * x * y, g * x * z, -g * along * x, g * y * x, 1 + g * y * y, g * y * z,
      -g * along * y, g * z * x, g * z * y, 1 + g * z * z, -g * along * z, 0, 0, 0, 1);
}

export class Inset {
  /**
   * @param {HTMLElement} frame over the canvas, where the inset is drawn
   * @param {object} inset the scene's data of it
   * @param {Item[]} items with their looks
   */
  constructor(frame, inset, items) {
    this.frame = frame;
    this.inset = inset;
    this.scene = new Scene();
    this.eyeGroup = new Group();
    Stage.light(this.scene, this.eyeGroup);
    this.group = new Group();
    this.group.matrixAutoUpdate = false;
    this.group.matrix.copy(stretch(inset));
    this.scene.add(this.group);
    this.camera = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
    this.camera.layers.enableAll();
    this.pairs = [];  // the copy's object and the one it is a copy of
    for (const item of items) {
      if (!SHOWN.has(item.layer)) continue;
      const copy = item.object.clone(true);
      copy.matrixAutoUpdate = false;
      copy.matrix.copy(item.object.matrixWorld);
      this.group.add(copy);
      this.pairs.push({copy, item});
    }
    // What is drawn lies within this of the origin.
    this.group.updateMatrixWorld(true);
    const sphere = new Box3().setFromObject(this.group).getBoundingSphere(new Sphere());
    this.reach = Math.max(
        inset.radius,
        1.1 * (sphere.radius + sphere.center.distanceTo(new Vector3(...inset.origin))));
    this.across = new ScaleBar(frame.querySelector('.across'));
    this.along = new ScaleBar(frame.querySelector('.along'));
    setText(
        frame.querySelector('.inset-factor'),
        `× ${formatNumber(inset.factor, 3)} along the normal`);
    this.shown = true;
  }

  setVisible(shown) {
    this.shown = shown;
    this.frame.hidden = !shown;
  }

  /** The inset's place in CSS pixels of the canvas: left, bottom, width, height. */
  #rectangle(canvas) {
    const outer = canvas.getBoundingClientRect();
    const inner = this.frame.querySelector('.inset-picture').getBoundingClientRect();
    return [inner.left - outer.left, outer.bottom - inner.bottom, inner.width, inner.height];
  }

  #aim(eye, width, height) {
    const origin = new Vector3(...this.inset.origin);
    const radius = this.inset.radius * MARGIN;
    const far = this.reach;
    this.camera.quaternion.copy(eye.camera.quaternion);
    this.camera.position.set(0, 0, far).applyQuaternion(this.camera.quaternion).add(origin);
    const half = Math.min(width, height) / 2;
    Object.assign(this.camera, {
      left: (-radius * width) / 2 / half,
      right: (radius * width) / 2 / half,
      top: (radius * height) / 2 / half,
      bottom: (-radius * height) / 2 / half,
      near: 0,
      far: 2 * far,
    });
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.eyeGroup.position.copy(this.camera.position);
    this.eyeGroup.quaternion.copy(this.camera.quaternion);
    return radius / half;
  }

  draw(renderer, canvas, eye) {
    if (!this.shown) return;
    const [left, bottom, width, height] = this.#rectangle(canvas);
    if (width < 2 || height < 2) return;
    for (const {copy, item} of this.pairs) copy.visible = item.object.visible;
    this.metresPerPixel = this.#aim(eye, width, height);
    renderer.setScissorTest(true);
    renderer.setScissor(left, bottom, width, height);
    renderer.setViewport(left, bottom, width, height);
    renderer.clear();
    const whole = pull.value;
    pull.value = PULL * this.inset.radius;
    renderer.render(this.scene, this.camera);
    pull.value = whole;
    renderer.setScissorTest(false);
    const size = canvas.getBoundingClientRect();
    renderer.setViewport(0, 0, size.width, size.height);
    this.across.update(this.metresPerPixel, 90);
    this.along.update(this.metresPerPixel / this.inset.factor, 90);
  }

  /**
   * Whether a point of the canvas [CSS pixels] lies in the inset, and its place there from −1
   * to 1.
   */
  locate(canvas, x, y) {
    if (!this.shown) return null;
    const [left, bottom, width, height] = this.#rectangle(canvas);
    const u = (x - left) / width;
    const v = (canvas.getBoundingClientRect().height - y - bottom) / height;
    return u >= 0 && u <= 1 && v >= 0 && v <= 1 ? {x: 2 * u - 1, y: 2 * v - 1} : null;
  }
}
