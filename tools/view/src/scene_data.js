// What the tool wrote beside the geometry (`extras.volcontact` of the scene and of its nodes),
// checked value by value: the rest of the page may rely on types, finite numbers and equal lengths.
// Errors name the place.

import {SceneError, WRITE_ANEW} from './errors.js';

const VERSION = 1;
// More than this is no scene that a browser shows: a damaged or a hostile file.
const MOST_NUMBERS = 2e7;
const MOST_PLOTS = 100;
const MOST_CURVES = 64;
const MOST_NAMED = 10000;
const LONGEST_TEXT = 2000;

function fail(place, wanted, value) {
  const found = value === undefined ? 'is missing' : `is ${describe(value)}`;
  throw new SceneError(
      `The scene in this page is damaged: ${place} must be ${wanted}, and ${found}. ${WRITE_ANEW}`);
}

function describe(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'object' ? 'an object' : String(value);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(value, place) {
  return isObject(value) ? value : fail(place, 'an object', value);
}

function number(value, place) {
  return typeof value === 'number' && Number.isFinite(value) ?
      value :
      fail(place, 'a finite number', value);
}

function positive(value, place) {
  return number(value, place) > 0 ? value : fail(place, 'a positive number', value);
}

function text(value, place) {
  if (typeof value !== 'string') fail(place, 'a text', value);
  return value.length <= LONGEST_TEXT ?
      value :
      fail(place, `a text of at most ${LONGEST_TEXT} characters`, value);
}

function list(value, place, most) {
  if (!Array.isArray(value)) fail(place, 'a list', value);
  return value.length <= most ? value : fail(place, `a list of at most ${most}`, value);
}

/** Units as the tool writes them ("N m", "m^2"), as people do. */
function unitText(value, place) {
  return text(value, place)
      .replace(/\^([2-9])/g, (_, digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit])
      .replace(/(\S) (?=\S)/g, '$1·');
}

function vector(value, place) {
  if (!Array.isArray(value) || value.length !== 3) fail(place, 'three numbers', value);
  return value.map((v, i) => number(v, `${place}[${i}]`));
}

function optional(value, read, place) {
  return value === undefined || value === null ? null : read(value, place);
}

/** Numbers, or null where the quantity is not defined. */
function samples(value, place, length) {
  list(value, place, MOST_NUMBERS);
  if (value.length !== length) fail(place, `a list of ${length}, one for each time`, value);
  value.forEach((v, i) => v === null || number(v, `${place}[${i}]`));
  return value;
}

function vectorSamples(value, place, length) {
  list(value, place, MOST_NUMBERS);
  if (value.length !== length) fail(place, `a list of ${length}, one for each time`, value);
  return value.map((v, i) => (v === null ? null : vector(v, `${place}[${i}]`)));
}

function readLegend(value, place) {
  object(value, place);
  const legend = {
    quantity: text(value.quantity, `${place}.quantity`),
    unit: unitText(value.unit, `${place}.unit`),
    min: number(value.min, `${place}.min`),
    max: number(value.max, `${place}.max`),
  };
  return legend.max >= legend.min ? legend :
                                    fail(`${place}.max`, `at least ${place}.min`, legend.max);
}

function readScale(value, place) {
  object(value, place);
  return {length: positive(value.length, `${place}.length`)};
}

function readInset(value, place) {
  object(value, place);
  const axis = vector(value.axis, `${place}.axis`);
  const size = Math.hypot(...axis);
  if (!(size > 0)) fail(`${place}.axis`, 'a direction', axis);
  return {
    origin: vector(value.origin, `${place}.origin`),
    axis: axis.map((v) => v / size),
    factor: positive(value.factor, `${place}.factor`),
    radius: positive(value.radius, `${place}.radius`),
  };
}

/** A run that has been stopped at once has one time, or the same one twice: it does not move. */
function readTimes(value, place) {
  list(value, place, MOST_NUMBERS);
  if (value.length === 0) fail(place, 'a list of one time at least', value);
  value.forEach((t, i) => {
    number(t, `${place}[${i}]`);
    if (i > 0 && t < value[i - 1]) fail(`${place}[${i}]`, 'no less than the time before it', t);
  });
  return value;
}

function readContact(value, place, length) {
  object(value, place);
  const read = (v, p) => vectorSamples(v, p, length);
  return {
    name: text(value.name, `${place}.name`),
    force: optional(value.force, read, `${place}.force`),
    torque: optional(value.torque, read, `${place}.torque`),
    point: optional(value.point, read, `${place}.point`),
  };
}

function readPlot(value, place, length) {
  object(value, place);
  return {
    title: text(value.title, `${place}.title`),
    unit: optional(value.unit, unitText, `${place}.unit`) ?? '',
    curves: list(value.curves, `${place}.curves`, MOST_CURVES).map((curve, i) => {
      const at = `${place}.curves[${i}]`;
      object(curve, at);
      return {
        name: text(curve.name, `${at}.name`),
        values: samples(curve.values, `${at}.values`, length)
      };
    }),
  };
}

function readEvent(value, place) {
  object(value, place);
  return {time: number(value.time, `${place}.time`), name: text(value.name, `${place}.name`)};
}

function readRun(value, place) {
  object(value, place);
  const times = readTimes(value.times, `${place}.times`);
  const all = (name, most, read) =>
      (optional(value[name], (v, p) => list(v, p, most), `${place}.${name}`) ??
       []).map((item, i) => read(item, `${place}.${name}[${i}]`, times.length));
  return {
    times,
    contacts: all('contacts', MOST_NAMED, readContact),
    plots: all('plots', MOST_PLOTS, readPlot),
    events: all('events', MOST_NAMED, readEvent).sort((a, b) => a.time - b.time),
    thinnedFrom: optional(value.thinned_from, number, `${place}.thinned_from`),
  };
}

/** The data of a scene, from `scenes[0].extras.volcontact`. */
export function readSceneData(value) {
  if (value === undefined) {
    throw new SceneError(
        `The page's scene was not written by volcontact: it has no extras.volcontact. ${
            WRITE_ANEW}`);
  }
  object(value, 'extras.volcontact');
  const version = number(value.version, 'version');
  if (version !== VERSION) {
    throw new SceneError(`The scene is of version ${version}, and this page reads version ${
        VERSION}. ${WRITE_ANEW}`);
  }
  return {
    title: optional(value.title, text, 'title') ?? 'Contact',
    legend: optional(value.legend, readLegend, 'legend'),
    metrics: optional(value.metrics, object, 'metrics'),
    scale: optional(value.scale, readScale, 'scale'),
    inset: optional(value.inset, readInset, 'inset'),
    run: optional(value.run, readRun, 'run'),
  };
}

/** The data of a node, from its `extras.volcontact`; `place` names the node in errors. */
export function readNodeData(value, place) {
  object(value, place);
  const kind = text(value.kind, `${place}.kind`);
  const data = {kind, label: optional(value.label, text, `${place}.label`) ?? kind};
  if (kind === 'solid' || kind === 'trail')
    data.body = optional(value.body, text, `${place}.body`) ?? data.label;
  if (kind === 'solid') data.side = value.side === 'a' || value.side === 'b' ? value.side : null;
  if (kind === 'centroid' || kind === 'point') {
    data.position = optional(value.position, vector, `${place}.position`);
    data.unit = optional(value.unit, unitText, `${place}.unit`) ?? 'm';
  }
  if (kind === 'arrow') {
    data.quantity = text(value.quantity, `${place}.quantity`);
    data.vector = optional(value.vector, vector, `${place}.vector`);
    data.magnitude = optional(value.magnitude, number, `${place}.magnitude`);
    data.unit = optional(value.unit, unitText, `${place}.unit`) ?? '';
    data.vectors = optional(
        value.vectors,
        (v, p) =>
            list(v, p, MOST_NUMBERS).map((w, i) => (w === null ? null : vector(w, `${p}[${i}]`))),
        `${place}.vectors`);
    data.longest = optional(value.longest, number, `${place}.longest`) ?? 0;
    data.contact = optional(value.contact, text, `${place}.contact`);
  }
  return data;
}
