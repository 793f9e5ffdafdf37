// The bar of colours beside the picture, with ticks in the quantity's unit.

import {MAP_SIZE, mapBytes} from './colour_map.js';
import {element} from './dom.js';
import {formatNumber, prefixed, ticks} from './numbers.js';

const TITLES = {
  pressure: 'Pressure',
  height: 'Height of the overlap'
};

function drawBar(canvas) {
  canvas.width = 1;
  canvas.height = MAP_SIZE;
  const context = canvas.getContext('2d');
  const image = context.createImageData(1, MAP_SIZE);
  const bytes = mapBytes();
  // The greatest value stands on top.
  for (let i = 0; i < MAP_SIZE; i++)
    image.data.set(bytes.subarray(4 * i, 4 * i + 4), 4 * (MAP_SIZE - 1 - i));
  context.putImageData(image, 0, 0);
}

/** Fills the legend's element, or hides it where the scene has none. */
export function showLegend(node, legend) {
  node.hidden = !legend;
  if (!legend) return;
  const {min, max} = legend;
  const {unit, factor} = prefixed(legend.unit, Math.max(Math.abs(min), Math.abs(max)));
  const canvas = element('canvas', {class: 'legend-bar', 'aria-hidden': 'true'});
  drawBar(canvas);
  const scale = element('div', {class: 'legend-ticks'});
  for (const tick of ticks(min / factor, max / factor, 6)) {
    const mark = element('span', {class: 'legend-tick'}, formatNumber(tick, 4));
    const share = max > min ? (tick * factor - min) / (max - min) : 0.5;
    mark.style.bottom = `${(100 * share).toFixed(2)}%`;
    scale.append(mark);
  }
  const title = TITLES[legend.quantity] ?? legend.quantity;
  node.replaceChildren(
      element('div', {class: 'legend-title'}, `${title} [${unit || '1'}]`),
      element('div', {class: 'legend-body'}, canvas, scale));
  node.setAttribute(
      'aria-label',
      `${title}: colours from ${formatNumber(min / factor)} to ${formatNumber(max / factor)} ${
          unit}`);
}
