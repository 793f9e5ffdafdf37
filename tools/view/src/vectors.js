// The list of arrows and points with their numbers: what the pointer finds in the picture, the
// keyboard finds here.

import {element, setText} from './dom.js';
import {layerOf} from './kinds.js';
import {formatQuantity, formatVector} from './numbers.js';
import {partColour} from './palette.js';
import {arrowValue} from './readings.js';

const MOST_LISTED = 100;
const TEXT_INTERVAL = 100;  // ms, as for plots

function valueText(item, motion) {
  const {data} = item;
  if (data.kind !== 'arrow') return data.position ? formatVector(data.position, data.unit) : '';
  const {vector, magnitude} = arrowValue(data, motion);
  if (data.quantity === 'normal' && vector) return formatVector(vector, '', 3);
  return magnitude === null ? '–' : formatQuantity(magnitude, data.unit);
}

export class VectorList {
  constructor(node, items, motion, hover) {
    this.motion = motion;
    this.last = -Infinity;
    this.pending = null;
    const listed = items.filter(
        ({data}) => data.kind === 'arrow' || data.kind === 'centroid' || data.kind === 'point');
    this.rows = listed.slice(0, MOST_LISTED).map((item) => {
      const value = element('span', {class: 'vector-value'});
      const swatch = element('span', {class: 'swatch', 'aria-hidden': 'true'});
      const name = element('span', {class: 'label-text'}, item.data.label);
      const button = element('button', {type: 'button'}, swatch, name, value);
      for (const event of ['click', 'focus', 'pointerenter'])
        button.addEventListener(event, () => hover.pin(item));
      for (const event of ['blur', 'pointerleave'])
        button.addEventListener(event, () => hover.pin(null));
      node.append(element('li', {}, button));
      return {item, value, swatch};
    });
    if (listed.length > MOST_LISTED)
      node.append(element('li', {}, `and ${listed.length - MOST_LISTED} more`));
    this.#show();
  }

  get isEmpty() {
    return this.rows.length === 0;
  }

  setTheme(theme) {
    for (const {swatch, item} of this.rows)
      swatch.style.background = partColour(theme, layerOf(item.data));
  }

  setTime() {
    clearTimeout(this.pending);
    if (performance.now() - this.last >= TEXT_INTERVAL)
      this.#show();
    else
      this.pending = setTimeout(() => this.#show(), TEXT_INTERVAL);
  }

  #show() {
    this.last = performance.now();
    for (const {item, value} of this.rows) setText(value, valueText(item, this.motion));
  }
}
