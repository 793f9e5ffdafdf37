// The eye: orbit, pan and zoom by mouse, touch and keys; standard views; fitting; perspective or
// parallel projection.

import {MathUtils, OrthographicCamera, PerspectiveCamera, Spherical, Vector3} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';

const FIELD_OF_VIEW = 28;  // degrees, of the height
const MOVE_SECONDS = 0.3;
/** How much of the picture is filled by what it is fitted to. */
const FILLED = 0.86;

/** Where the eye stands, seen from what it looks at. From above, x points right and y up. */
export const VIEWS = {
  corner: new Vector3(1, -1.7, 0.95),
  front: new Vector3(0, -1, 0),
  back: new Vector3(0, 1, 0),
  right: new Vector3(1, 0, 0),
  left: new Vector3(-1, 0, 0),
  top: new Vector3(0, -1e-4, 1),
  bottom: new Vector3(0, -1e-4, -1),
};
for (const direction of Object.values(VIEWS)) direction.normalize();

export class Eye {
  /** @param {number} size of the scene [m], which bounds the zoom */
  constructor(canvas, size, onChange) {
    this.size = size;
    this.perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.parallel = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
    for (const camera of [this.perspective, this.parallel]) camera.up.set(0, 0, 1);
    this.camera = this.perspective;
    this.still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.aspect = 1;
    this.heightPixels = 1;
    this.move = null;
    this.onChange = onChange;

    this.camera.position.copy(VIEWS.corner).multiplyScalar(size);
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, {
      enableDamping: !this.still,
      dampingFactor: 0.18,
      zoomToCursor: true,
      zoomSpeed: 1.4,
      minDistance: 1e-5 * size,
      maxDistance: 50 * size,
      minZoom: 1e-3,
      maxZoom: 1e6,
    });
    this.controls.addEventListener('change', onChange);
    this.controls.addEventListener('start', () => {
      this.move = null;
    });
  }

  resize(width, height) {
    this.aspect = width / height;
    this.heightPixels = height;
    this.perspective.aspect = this.aspect;
    const top = this.parallel.top;
    this.#setFrame(top);
    this.perspective.updateProjectionMatrix();
  }

  #setFrame(top) {
    Object.assign(
        this.parallel, {top, bottom: -top, left: -top * this.aspect, right: top * this.aspect});
    this.parallel.updateProjectionMatrix();
  }

  get target() {
    return this.controls.target;
  }

  get distance() {
    return this.camera.position.distanceTo(this.target);
  }

  /** From the target to the eye, a unit vector. */
  get direction() {
    return this.camera.position.clone().sub(this.target).normalize();
  }

  /** Metres that one CSS pixel covers in the plane of the target. */
  metresPerPixel() {
    const height = this.camera === this.perspective ?
        2 * this.distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)) :
        (2 * this.parallel.top) / this.parallel.zoom;
    return height / this.heightPixels;
  }

  /** Looks at all of a box, from where the eye is or from a direction. */
  fit(box, direction = this.direction, animate = true) {
    const centre = box.getCenter(new Vector3());
    this.#goTo(
        centre, direction, Math.max(this.#distanceFor(box, centre, direction), 2e-5 * this.size),
        animate);
  }

  /** The distance from which all corners of a box are in the picture, with a margin. */
  #distanceFor(box, centre, direction) {
    const slopeY = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)) * FILLED;
    const slopeX = slopeY * this.aspect;
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = ['x', 'y', 'z'].map((k, i) => (corner >> i & 1 ? box.max[k] : box.min[k]));
      const v = new Vector3(x, y, z).sub(centre);
      const needed = Math.max(Math.abs(v.dot(right)) / slopeX, Math.abs(v.dot(up)) / slopeY);
      distance = Math.max(distance, needed + v.dot(direction));
    }
    return distance;
  }

  /** One of VIEWS, at the distance that the eye has. */
  look(name, animate = true) {
    this.#goTo(this.target.clone(), VIEWS[name], this.distance, animate);
  }

  #goTo(target, direction, distance, animate) {
    const from = {
      target: this.target.clone(),
      distance: this.#apparentDistance(),
      at: spherical(this.direction)
    };
    const to = {target, distance, at: spherical(direction)};
    // Around the shorter way.
    const turn = to.at.theta - from.at.theta;
    to.at.theta -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    this.move = {from, to, share: animate && !this.still ? 0 : 1};
    if (this.move.share === 1) this.#place(1);
    this.onChange();
  }

  /**
   * The distance at which perspective shows things as large as the parallel projection does now.
   */
  #apparentDistance() {
    if (this.camera === this.perspective) return this.distance;
    return this.parallel.top / this.parallel.zoom / Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2));
  }

  #place(share) {
    const {from, to} = this.move;
    const s = share * share * (3 - 2 * share);
    this.target.lerpVectors(from.target, to.target, s);
    const distance = from.distance * (to.distance / from.distance) ** s;
    const at = new Spherical(
        1, MathUtils.lerp(from.at.phi, to.at.phi, s),
        MathUtils.lerp(from.at.theta, to.at.theta, s));
    this.camera.position.copy(fromSpherical(at)).multiplyScalar(distance).add(this.target);
    if (this.camera === this.parallel) {
      this.parallel.zoom = 1;
      this.#setFrame(distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)));
    }
    this.controls.update();
    if (share >= 1) this.move = null;
  }

  /** Perspective ⇄ parallel, with the same size at the target. */
  toggleProjection() {
    const distance = this.#apparentDistance();
    const direction = this.direction;
    const next = this.camera === this.perspective ? this.parallel : this.perspective;
    next.position.copy(direction).multiplyScalar(distance).add(this.target);
    next.quaternion.copy(this.camera.quaternion);
    if (next === this.parallel) {
      next.zoom = 1;
      this.#setFrame(distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)));
    }
    this.camera = next;
    this.controls.object = next;
    this.controls.update();
    this.onChange();
  }

  get isParallel() {
    return this.camera === this.parallel;
  }

  /** Turns the eye about the target [degrees]. */
  orbit(right, up) {
    const at = spherical(this.direction);
    at.theta += MathUtils.degToRad(right);
    at.phi = MathUtils.clamp(at.phi - MathUtils.degToRad(up), 1e-4, Math.PI - 1e-4);
    this.camera.position.copy(fromSpherical(at)).multiplyScalar(this.distance).add(this.target);
    this.#moved();
  }

  /** Shifts what is looked at, in shares of the picture's height. */
  pan(right, up) {
    const step = this.metresPerPixel() * this.heightPixels;
    const shift = new Vector3(right * step, up * step, 0).applyQuaternion(this.camera.quaternion);
    this.target.add(shift);
    this.camera.position.add(shift);
    this.#moved();
  }

  /** Nearer (factor above 1) or farther. */
  zoom(factor) {
    if (this.isParallel) {
      this.parallel.zoom *= factor;
      this.parallel.updateProjectionMatrix();
    } else {
      this.camera.position.sub(this.target).divideScalar(factor).add(this.target);
    }
    this.#moved();
  }

  #moved() {
    this.move = null;
    this.controls.update();
    this.onChange();
  }

  /** Before a frame: goes on with a movement. Returns whether there is more to come. */
  update(seconds) {
    let more = false;
    if (this.move) {
      this.move.share = Math.min(1, this.move.share + seconds / MOVE_SECONDS);
      this.#place(this.move.share);
      more = this.move !== null;
    } else {
      more = this.controls.update();
    }
    const distance = this.distance;
    const reach = 6 * this.size;
    this.camera.near =
        this.isParallel ? distance - reach : Math.max(distance - reach, 0.002 * distance);
    this.camera.far = distance + reach;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    return more;
  }
}

/** Angles about z: phi from z, theta from −y towards x. */
function spherical(direction) {
  return new Spherical().setFromCartesianCoords(direction.x, direction.z, -direction.y);
}

function fromSpherical(at) {
  const v = new Vector3().setFromSpherical(at);
  return new Vector3(v.x, -v.z, v.y);
}
