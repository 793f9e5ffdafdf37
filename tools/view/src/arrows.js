// How large arrows are drawn: to one scale, and never longer than about half of the picture.

import {arrowScale} from './materials.js';

const LARGEST = 0.5;  // of the picture's height

export class Arrows {
  /** @param {Item[]} items of a model, which stands as at its first time */
  constructor(items) {
    this.longest = 0;
    for (const item of items) {
      if (item.data.kind !== 'arrow' || !item.meshes.length) continue;
      item.length = Math.max(...item.meshes.map(({geometry}) => {
        geometry.computeBoundingBox();
        return geometry.boundingBox.max.z;
      }));
      this.longest = Math.max(this.longest, item.data.longest, item.length * item.object.scale.z);
    }
  }

  /** Before a frame in which a pixel covers so many metres. */
  update(metresPerPixel, heightPixels) {
    arrowScale.value = this.longest > 0 ?
        Math.min(1, (LARGEST * heightPixels * metresPerPixel) / this.longest) :
        1;
  }
}
