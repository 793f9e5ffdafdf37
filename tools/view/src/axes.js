// The triad of the world's axes in the corner, as SVG; a click on an axis looks along it.

import {Quaternion, Vector3} from 'three';

import {svgElement} from './dom.js';

const LENGTH = 30;
const AXES = [
  {name: 'x', vector: new Vector3(1, 0, 0), view: 'right'},
  {name: 'y', vector: new Vector3(0, 1, 0), view: 'back'},
  {name: 'z', vector: new Vector3(0, 0, 1), view: 'top'},
];

export class AxesTriad {
  constructor(svg, onView) {
    this.svg = svg;
    this.last = new Quaternion(2, 0, 0, 0);
    this.parts = AXES.map(({name, vector, view}) => {
      const line = svgElement('line', {x1: 0, y1: 0, class: `axis axis-${name}`});
      const head = svgElement('circle', {r: 9, class: `axis-head axis-${name}`});
      const text = svgElement('text', {class: 'axis-name'}, name);
      const group = svgElement('g', {}, line, head, text);
      group.addEventListener('click', () => onView(view));
      return {vector, line, head, text, group};
    });
    svg.replaceChildren(...this.parts.map((part) => part.group));
  }

  update(camera) {
    if (this.last.equals(camera.quaternion)) return;
    this.last.copy(camera.quaternion);
    const toEye = camera.quaternion.clone().invert();
    for (const part of this.parts) {
      const v = part.vector.clone().applyQuaternion(toEye);
      part.depth = v.z;
      const [x, y] = [(v.x * LENGTH).toFixed(1), (-v.y * LENGTH).toFixed(1)];
      part.line.setAttribute('x2', x);
      part.line.setAttribute('y2', y);
      part.head.setAttribute('cx', x);
      part.head.setAttribute('cy', y);
      part.text.setAttribute('x', x);
      part.text.setAttribute('y', y);
    }
    // What is nearer is drawn later.
    this.svg.append(...[...this.parts].sort((a, b) => a.depth - b.depth).map((part) => part.group));
  }
}
