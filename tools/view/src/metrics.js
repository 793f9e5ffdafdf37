// The table of numbers: the answer of `query` or `force` as it is, with units for the names we
// know.

import {element} from './dom.js';
import {formatAtLeast, formatBracketed, formatQuantity, formatVector} from './numbers.js';

/** Name of the answer → text and unit; others are shown under their own name. */
const KNOWN = {
  force: ['Force', 'N'],
  torque: ['Torque', 'N·m'],
  point: ['Point of the force', 'm'],
  volume: ['Volume', 'm³'],
  volume_bounds: ['Volume, bracket', 'm³'],
  volume_error: ['Volume, error', 'm³'],
  centroid: ['Centroid', 'm'],
  inertia: ['Inertia', 'm⁵'],
  normal: ['Contact normal', ''],
  area_normal: ['Normal of the area', ''],
  area_vector: ['Area vector', 'm²'],
  area_moment: ['Area moment', 'm³'],
  contact_area: ['Contact area', 'm²'],
  mean_height: ['Mean height', 'm'],
  gyration_radius: ['Gyration radius', 'm'],
  distance_lower_bound: ['Distance', 'm'],
  nearest_points: ['Nearest points', 'm'],
  friction_point: ['Friction point', 'm'],
  overlap: ['Overlap', ''],
  converged: ['Converged', ''],
  tolerance: ['Tolerance', ''],
  method: ['Method', ''],
  warnings: ['Warnings', ''],
  seconds: ['time of the query', 's'],
  // parts of a force
  'parts.normal': ['Normal force', 'N'],
  'parts.tangential': ['Friction force', 'N'],
  'parts.rolling': ['Rolling torque', 'N·m'],
  'parts.spinning': ['Spinning torque', 'N·m'],
};
/**
 * Kept out of the table: state for the next call, how the query went, which is no reading, and the
 * old name of distance_lower_bound.
 */
const HIDDEN =
    new Set(['schema', 'row', 'state', 'state_rate', 'stats', 'hessian', 'patches', 'distance']);
const MOST_ROWS = 200;
const DEEPEST = 4;

function isNumbers(value) {
  return Array.isArray(value) && value.length > 0 &&
      value.every((v) => typeof v === 'number' && Number.isFinite(v));
}

function valueNodes(value, unit) {
  if (typeof value === 'number') return [formatQuantity(value, unit, 6)];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (typeof value === 'string') return [value];
  if (value === null) return ['–'];
  if (isNumbers(value))
    return [value.length <= 12 ? formatVector(value, unit, 4) : `${value.length} numbers`];
  if (Array.isArray(value)) {
    return value.slice(0, 12).map(
        (v) => element(
            'div', {},
            ...(Array.isArray(v) || typeof v !== 'object' ? valueNodes(v, unit) : ['…'])));
  }
  return ['…'];
}

/**
 * Texts of what has to be read together: a volume within its bracket; and of the distance, which
 * `query` gives as a lower bound.
 */
function boundTexts({volume, volume_bounds: bounds, distance_lower_bound: distance}) {
  const texts = {};
  if (isNumbers([volume]) && isNumbers(bounds) && bounds.length === 2) {
    const {value, bracket} = formatBracketed(volume, bounds, KNOWN.volume[1]);
    Object.assign(texts, {volume: value, volume_bounds: bracket});
  }
  if (isNumbers([distance])) {
    texts.distance_lower_bound = formatAtLeast(distance, KNOWN.distance_lower_bound[1]);
  }
  return texts;
}

/**
 * Whether a bracket is wider than the volume that is known beside it: it looks like an error then.
 */
function isIdle({volume, volume_bounds: bounds, converged}) {
  return converged === true && isNumbers(bounds) && bounds[1] - bounds[0] > volume;
}

/** Known names come first, in the order above; files have them in any. */
function inOrder(values) {
  const names = Object.keys(KNOWN);
  const rank = (name) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.entries(values).sort(([a], [b]) => rank(a) - rank(b));
}

function addRows(table, values, prefix, depth) {
  const bounds = boundTexts(values);
  for (const [name, value] of inOrder(values)) {
    if (HIDDEN.has(name) || table.rows.length >= MOST_ROWS) continue;
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    if (name === 'volume_bounds' && isIdle(values)) continue;
    const known = Object.hasOwn(KNOWN, prefix + name) ? KNOWN[prefix + name] :
        Object.hasOwn(KNOWN, name)                    ? KNOWN[name] :
                                                        null;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (depth < DEEPEST) addRows(table, value, name === 'metrics' ? '' : `${name}.`, depth + 1);
      continue;
    }
    const text = known ? known[0] : `${prefix}${name}`.replaceAll('_', ' ');
    const row = table.insertRow();
    row.append(
        element('th', {scope: 'row'}, text),
        element('td', {}, ...valueNodes(bounds[name] ?? value, known?.[1] ?? '')));
  }
}

/** Fills the table; returns whether it has anything. */
export function showMetrics(table, metrics) {
  if (metrics) addRows(table, metrics, '', 0);
  return table.rows.length > 0;
}

/** Rows that tell of a run. */
export function showRun(table, run) {
  const first = formatQuantity(run.times[0], 's');
  const last = formatQuantity(run.times[run.times.length - 1], 's');
  const rows = [
    first === last ? ['Time', first] : ['Times', `${first} to ${last}`],
    [
      'Rows',
      run.thinnedFrom > run.times.length ? `${run.times.length} of ${run.thinnedFrom}` :
                                           String(run.times.length)
    ],
  ];
  if (run.events.length) rows.push(['Events', String(run.events.length)]);
  for (const [name, value] of rows) {
    table.insertRow().append(element('th', {scope: 'row'}, name), element('td', {}, value));
  }
}
