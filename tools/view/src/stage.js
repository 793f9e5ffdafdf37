// The canvas: renderer, lights, and the loop that draws a frame when something has changed, and
// else rests.

import {AmbientLight, DirectionalLight, HemisphereLight, NoToneMapping, Scene, Vector2, WebGLRenderer,} from 'three';

import {SceneError} from './errors.js';

const MOST_PIXEL_RATIO = 2;
/** After a longer break (a hidden page) a motion goes on from where it was [s]. */
const LONGEST_FRAME = 1;

function createRenderer(canvas) {
  try {
    return new WebGLRenderer(
        {canvas, antialias: true, alpha: true, powerPreference: 'high-performance'});
  } catch {
    throw new SceneError(
        'This browser shows no WebGL 2, which the picture needs. Turn on hardware acceleration, or ' +
        'open the page in a current Firefox, Chrome, Edge or Safari. Numbers and plots are shown all the same.');
  }
}

/** A light that stands still beside the eye: shapes look alike from everywhere. */
function lightBesideEye(eyeGroup, x, y, z, intensity) {
  const light = new DirectionalLight(0xffffff, intensity);
  light.position.set(x, y, z);
  light.layers.enableAll();
  eyeGroup.add(light, light.target);
}

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = createRenderer(canvas);
    this.renderer.toneMapping = NoToneMapping;
    this.renderer.autoClear = false;
    this.renderer.setClearColor(0x000000, 0);
    this.scene = new Scene();
    this.size = new Vector2(1, 1);
    this.beforeFrame = [];  // (seconds since the last frame) → whether more is to come
    this.drawers = [];      // what is drawn, in order
    this.afterFrame = [];   // overlays of HTML
    this.statistics = {frames: 0, updateMs: 0, drawMs: 0};
    this.waiting = false;
    this.last = null;
    this.lost = false;
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.lost = true;
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.lost = false;
      this.request();
    });
  }

  /** Lights of a scene; `eyeGroup` moves with the camera. */
  static light(scene, eyeGroup) {
    const around = new AmbientLight(0xffffff, 0.9);
    const sky = new HemisphereLight(0xffffff, 0xc9c2b8, 0.9);
    sky.position.set(0, 0, 1);
    for (const light of [around, sky]) light.layers.enableAll();
    scene.add(around, sky, eyeGroup);
    lightBesideEye(eyeGroup, -0.6, 0.9, 1, 1.7);
    lightBesideEye(eyeGroup, 1, 0.1, 0.5, 0.5);
  }

  resize() {
    const {clientWidth, clientHeight} = this.canvas.parentElement;
    if (clientWidth === 0 || clientHeight === 0) return false;
    this.size.set(clientWidth, clientHeight);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, MOST_PIXEL_RATIO));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.request();
    return true;
  }

  /** Asks for a frame. */
  request() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now) {
    this.waiting = false;
    if (this.lost) return;
    const seconds = this.last === null ? 1 / 60 : Math.min((now - this.last) / 1000, LONGEST_FRAME);
    const begin = performance.now();
    let more = false;
    for (const update of this.beforeFrame) more = update(seconds) || more;
    const drawBegin = performance.now();
    this.renderer.clear();
    for (const draw of this.drawers) draw(this.renderer);
    const drawEnd = performance.now();
    for (const update of this.afterFrame) update();
    this.statistics.frames += 1;
    this.statistics.drawMs = drawEnd - drawBegin;
    this.statistics.updateMs = drawBegin - begin + performance.now() - drawEnd;
    this.last = more ? now : null;
    if (more) this.request();
  }
}
