// The scale bar: a round length in the plane of what is looked at, with its unit.

import {setText} from './dom.js';
import {formatQuantity, roundBelow} from './numbers.js';

const WIDEST = 150;  // pixels

export class ScaleBar {
  constructor(node) {
    this.bar = node.querySelector('.bar');
    this.text = node.querySelector('.bar-text');
    this.length = 0;
  }

  update(metresPerPixel, widest = WIDEST) {
    this.length = roundBelow(widest * metresPerPixel);
    this.bar.style.width = `${(this.length / metresPerPixel).toFixed(1)}px`;
    setText(this.text, formatQuantity(this.length, 'm', 3));
  }
}
