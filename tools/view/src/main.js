// The page's beginning: reads the scene, builds the parts, and joins them.

import 'uplot/dist/uPlot.min.css';
import '../style.css';

import {Box3, Group, Vector3} from 'three';

import {Arrows} from './arrows.js';
import {AxesTriad} from './axes.js';
import {Eye, VIEWS} from './camera.js';
import {byId, setText} from './dom.js';
import {SceneError, WRITE_ANEW} from './errors.js';
import {decodeScene} from './glb.js';
import {Hover} from './hover.js';
import {Inset} from './inset.js';
import {bindKeys} from './keys.js';
import {BODY_LAYER, INNER_LAYER} from './kinds.js';
import {showLegend} from './legend.js';
import {Looks} from './looks.js';
import {pull} from './materials.js';
import {showMetrics, showRun} from './metrics.js';
import {boxOf, readModel} from './model.js';
import {Motion} from './motion.js';
import {Panel} from './panel.js';
import {Player} from './player.js';
import {Plots} from './plots.js';
import {ScaleBar} from './scale_bar.js';
import {Stage} from './stage.js';
import {Theme} from './theme.js';
import {VectorList} from './vectors.js';

/** Opacity of bodies at first: a contact is to be seen through them, a motion is seen by them. */
const OPACITY = {
  contact: 0.32,
  run: 0.7
};
/**
 * How far overlap and patch are moved towards the eye in the depth test, in sizes of the scene:
 * twice what the tool's triangles may miss the exact surfaces by.
 */
const PULL = 1 / 250;
/** Times of a run at which its extent is asked. */
const EXTENT_SAMPLES = 60;

const app = {
  error: null
};

function showError(error) {
  const text = error instanceof SceneError ?
      error.message :
      `The page could not show its scene (${error?.message ?? error}). ${WRITE_ANEW}`;
  app.error = text;
  setText(byId('error-text'), text);
  byId('error').hidden = false;
  document.body.classList.add('failed');
}

function sceneBytes() {
  const node = byId('volcontact-scene');
  if (!node) {
    throw new SceneError(
        'This page holds no scene: it is the empty viewer. Write a page with "volcontact view A B ' +
        '--out page.html", or "volcontact view RUN --out page.html".');
  }
  const bytes = decodeScene(node.textContent);
  node.remove();
  return bytes;
}

/** What stays is shown as a whole if it is at most so many times as wide as what moves. */
const WIDE_GROUND = 3;

/**
 * The box of all bodies, of a run over all its time, without what stays and is much wider: as a
 * rule that is a ground.
 */
function extent(model, motion, looks) {
  const bodies = looks.bodies.filter((body) => !body.stays);
  const solids = (bodies.length ? bodies : looks.bodies)
                     .flatMap((body) => body.items.map((item) => item.object));
  const objects = solids.length ? solids : [model.root];
  if (!motion) return boxOf(objects);
  const box = new Box3();
  for (let i = 0; i <= EXTENT_SAMPLES; i++) {
    motion.setTime(motion.start + ((motion.end - motion.start) * i) / EXTENT_SAMPLES);
    model.root.updateMatrixWorld(true);
    box.union(boxOf(objects));
  }
  motion.setTime(motion.start);
  const length = (b) => b.getSize(new Vector3()).length();
  for (const body of looks.bodies.filter((b) => b.stays && bodies.length)) {
    const still = boxOf(body.items.map((item) => item.object));
    if (length(still) <= WIDE_GROUND * length(box)) box.union(still);
  }
  return box.expandByVector(box.getSize(new Vector3()).multiplyScalar(0.1));
}

function contactBox(model) {
  const parts = model.items.filter((item) => item.layer === 'overlap' || item.layer === 'patch');
  if (!parts.length) return null;
  const box = boxOf(parts.map((item) => item.object));
  return box.expandByScalar(0.3 * box.getSize(new Vector3()).length());
}

/** Numbers that need no picture. */
function showTables(data) {
  setText(byId('title'), data.title);
  document.title = data.title;
  showLegend(byId('legend'), data.legend);
  const table = byId('metrics');
  if (data.run) showRun(table, data.run);
  byId('metrics-section').hidden = !showMetrics(table, data.metrics) && !data.run;
}

function build(model, stage) {
  const {data} = model;
  const {canvas} = stage;
  const request = () => stage.request();
  const size = data.scale?.length ?? boxOf([model.root]).getSize(new Vector3()).length();
  pull.value = PULL * size;
  const looks = new Looks(model);
  const motion = data.run ? new Motion(model) : null;
  const box = extent(model, motion, looks);
  const eye = new Eye(canvas, Math.max(size, box.getSize(new Vector3()).length()), request);
  const eyeGroup = new Group();
  Stage.light(stage.scene, eyeGroup);
  stage.scene.add(model.root);

  const insetFrame = byId('inset');
  insetFrame.hidden = !data.inset;
  const inset = data.inset ? new Inset(insetFrame, data.inset, model.items) : null;
  const hover = new Hover(
      {canvas, eye, model, legend: data.legend, inset, motion, tooltip: byId('tooltip'), request});
  const panel = new Panel(byId('layers'), looks, inset, request);
  const vectors = new VectorList(byId('vectors'), model.items, motion, hover);
  byId('vectors-section').hidden = vectors.isEmpty;

  return {
    stage,
    request,
    motion,
    looks,
    eye,
    eyeGroup,
    inset,
    hover,
    panel,
    vectors,
    box,
    model,
    canvas
  };
}

function bindRun({motion, request, vectors, stage}) {
  byId('run').hidden = !motion || motion.isStill;
  if (!motion || motion.isStill) return {player: null, plots: null};
  const parts =
      Object.fromEntries(['play', 'slider', 'time', 'speed', 'back', 'forth', 'loop', 'marks'].map(
          (id) => [id, byId(`run-${id}`)]));
  let player = null;
  const plots = new Plots(byId('plots'), motion.run, (time) => player.setTime(time));
  player = new Player(parts, motion, request, (time) => {
    plots.setTime(time);
    vectors.setTime();
  });
  stage.beforeFrame.push((seconds) => player.update(seconds));
  return {player, plots};
}

function bindControls(view) {
  const {eye, looks, request, model, box, motion} = view;
  const opacity = byId('opacity');
  opacity.value = String(100 * (motion ? OPACITY.run : OPACITY.contact));
  const setOpacity = () => {
    looks.setOpacity(Number(opacity.value) / 100);
    request();
  };
  opacity.addEventListener('input', setOpacity);
  setOpacity();
  view.fit = (animate = true) => eye.fit(box, eye.direction, animate);
  view.fitContact = () => {
    const contact = contactBox(model);
    if (contact)
      eye.fit(contact);
    else
      view.fit();
  };
  byId('fit-contact').hidden = !contactBox(model) || motion !== null;
  byId('fit').addEventListener('click', () => view.fit());
  byId('fit-contact').addEventListener('click', () => view.fitContact());
  byId('projection').addEventListener('click', () => eye.toggleProjection());
  for (const button of document.querySelectorAll('[data-view]')) {
    button.addEventListener('click', () => eye.look(button.dataset.view));
  }
}

/** Bodies first; what is in them then is seen through them, unless they are opaque. */
function drawScene(renderer, {stage, eye, looks}) {
  eye.camera.layers.set(BODY_LAYER);
  renderer.render(stage.scene, eye.camera);
  if (!looks.opaque) renderer.clearDepth();
  eye.camera.layers.set(INNER_LAYER);
  renderer.render(stage.scene, eye.camera);
}

function bindDrawing(view) {
  const {stage, eye, eyeGroup, inset, hover, canvas} = view;
  const triad = new AxesTriad(byId('axes'), (name) => eye.look(name));
  const scaleBar = new ScaleBar(byId('scale'));
  const arrows = new Arrows(view.model.items);
  view.scaleBar = scaleBar;
  stage.beforeFrame.push((seconds) => {
    const more = eye.update(seconds);
    eyeGroup.position.copy(eye.camera.position);
    eyeGroup.quaternion.copy(eye.camera.quaternion);
    arrows.update(eye.metresPerPixel(), eye.heightPixels);
    return more;
  });
  stage.drawers.push((renderer) => drawScene(renderer, view));
  if (inset) stage.drawers.push((renderer) => inset.draw(renderer, canvas, eye));
  stage.afterFrame.push(
      () => triad.update(eye.camera), () => scaleBar.update(eye.metresPerPixel()),
      () => byId('projection').setAttribute('aria-pressed', String(eye.isParallel)),
      () => hover.update());
  const resize = () => stage.resize() && eye.resize(stage.size.x, stage.size.y);
  resize();
  new ResizeObserver(resize).observe(canvas.parentElement);
}

/** Without a picture there are still the plots of a run. */
function showPlotsOnly(run) {
  const plots = new Plots(byId('plots'), run, (time) => plots.setTime(time));
  app.plots = plots;
  plots.setTheme(app.theme.name);
}

function showTheme(name) {
  for (const part of [app.looks, app.panel, app.vectors, app.plots]) part?.setTheme(name);
  app.request?.();
}

async function start() {
  app.theme = new Theme(byId('theme'), showTheme);
  performance.mark('script');
  const model = await readModel(sceneBytes());
  performance.mark('read');
  showTables(model.data);
  let stage;
  try {
    stage = new Stage(byId('canvas'));
  } catch (error) {
    if (model.data.run) showPlotsOnly(model.data.run);
    throw error;
  }
  Object.assign(app, build(model, stage));
  Object.assign(app, bindRun(app));
  bindControls(app);
  bindDrawing(app);
  app.eye.fit(app.box, VIEWS.corner, false);
  app.dialog = byId('help');
  app.help = () => app.dialog.showModal();
  byId('help-button').addEventListener('click', app.help);
  bindKeys(app, byId('help-keys'));
  showTheme(app.theme.name);
  document.body.classList.add('ready');
  performance.mark('built');
  await new Promise((resolve) => {
    stage.afterFrame.push(resolve);
    app.request();
  });
}

/** What tests read and set. */
window.volcontact = {
  ready: start().catch(showError),
  state() {
    if (!app.stage || app.error) return {error: app.error};
    const {eye, motion, player, panel, hover, stage, model} = app;
    return {
      error: null,
      triangles: model.triangles,
      shown: {...panel.shown},
      theme: app.theme.name,
      rows: motion?.run.times.length ?? 0,
      trails: motion?.trails.map(({geometry}) => geometry.instanceCount) ?? [],
      eye: eye.camera.position.toArray(),
      target: eye.target.toArray(),
      parallel: eye.isParallel,
      direction: eye.direction.toArray(),
      metresPerPixel: eye.metresPerPixel(),
      scaleBar: app.scaleBar.length,
      time: motion?.time ?? null,
      playing: player?.playing ?? false,
      rate: player?.rate ?? null,
      hovered: hover.item?.data ?? null,
      ...stage.statistics,
    };
  },
  setTime: (time) => app.player?.setTime(time),
  /** A point of the world [m] in CSS pixels of the canvas. */
  project: ([x, y, z]) => app.hover.project(new Vector3(x, y, z)),
};
