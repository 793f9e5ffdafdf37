// What is said of a thing under the pointer or in the list: a title, and names with values.

import {layerOf, QUANTITY_NAMES} from './kinds.js';
import {formatQuantity, formatVector} from './numbers.js';
import {valueAt} from './time_series.js';

const AXES = ['x', 'y', 'z'];

function size(vector) {
  return Math.hypot(...vector);
}

/**
 * What an arrow stands for now: {vector, magnitude}; either may be null. In a run its rows tell,
 * where they do.
 */
export function arrowValue(data, motion) {
  const series = motion?.seriesOf(data) ?? null;
  const vector = series ? valueAt(series, motion.place) : data.vector;
  const known = series ? null : data.magnitude;
  // Rows without contact have zeros.
  if (series && vector && size(vector) === 0 && data.quantity !== 'velocity')
    return {vector: null, magnitude: null};
  return {vector, magnitude: vector ? size(vector) : known};
}

function arrowRows(data, motion) {
  const {vector, magnitude} = arrowValue(data, motion);
  const rows = [];
  if (magnitude !== null && data.quantity !== 'normal')
    rows.push(['magnitude', formatQuantity(magnitude, data.unit)]);
  if (vector) {
    const unit = data.quantity === 'normal' ? '' : data.unit;
    vector.forEach(
        (v, i) =>
            rows.push([AXES[i], formatQuantity(Math.abs(v) < 1e-12 * size(vector) ? 0 : v, unit)]));
  } else if (magnitude === null) {
    rows.push(['', 'no contact now']);
  }
  if (data.contact) rows.push(['contact', data.contact]);
  return rows;
}

/** Title and rows for an item; `extra` rows come first (a value at the pointer). */
export function reading(item, motion, extra = []) {
  const {data} = item;
  const rows = [...extra];
  let title = data.label;
  if (data.kind === 'arrow') {
    title = data.label === 'arrow' ? QUANTITY_NAMES[data.quantity] ?? data.quantity : data.label;
    rows.push(...arrowRows(data, motion));
  } else if (data.position) {
    rows.push(['position', formatVector(data.position, data.unit)]);
  } else if (layerOf(data) === 'solid' && data.body !== data.label) {
    rows.push(['body', data.body]);
  }
  return {title, rows};
}
