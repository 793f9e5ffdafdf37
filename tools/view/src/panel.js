// The list of what is shown: a checkbox for each body and each layer that the scene has.

import {element, keyCap} from './dom.js';
import {LAYERS} from './kinds.js';
import {partColour} from './palette.js';

/** More bodies than this have one checkbox for all of them. */
const MOST_BODIES = 40;

export class Panel {
  /**
   * @param {HTMLElement} node to be filled
   * @param {?Inset} inset
   * @param {() => void} request a frame
   */
  constructor(node, looks, inset, request) {
    this.looks = looks;
    this.request = request;
    this.boxes = new Map();  // key → checkbox
    this.swatches = [];
    this.shown = {};
    this.node = node;
    this.#addBodies();
    for (const layer of LAYERS) {
      if (!looks.layers.has(layer.id)) continue;
      this.#add(
          layer.id, layer.text, layer.key, (theme) => partColour(theme, layer.id), layer.shown,
          (on) => looks.setLayer(layer.id, on));
    }
    if (inset) this.#add('inset', 'Magnified inset', 'i', null, true, (on) => inset.setVisible(on));
  }

  #addBodies() {
    const {bodies} = this.looks;
    if (bodies.length > MOST_BODIES) {
      this.#add(
          'bodies', `Bodies (${bodies.length})`, 'a', null, true,
          (on) => bodies.forEach((_, i) => this.looks.setBody(i, on)));
      return;
    }
    bodies.forEach(({name, side, colour}, number) => {
      const key = side ?? (bodies.length <= 2 ? 'ab'[number] : '');
      this.#add(`body:${number}`, name, key, colour, true, (on) => this.looks.setBody(number, on));
    });
  }

  #add(id, text, key, colour, shown, apply) {
    const box = element('input', {type: 'checkbox'});
    box.checked = shown;
    box.dataset.id = id;
    const swatch = element('span', {class: 'swatch', 'aria-hidden': 'true'});
    if (colour)
      this.swatches.push({swatch, colour});
    else
      swatch.classList.add('none');
    if (id === 'edges' || id === 'cells' || id === 'trail' || id === 'arcs')
      swatch.classList.add('line');
    if (id === 'patch' && this.looks.legend) swatch.classList.add('map');
    const label = element('label', {}, box, swatch, element('span', {class: 'label-text'}, text));
    if (key) {
      label.append(keyCap(key));
      box.setAttribute('aria-keyshortcuts', key);
      this.boxes.set(key, box);
    }
    const set = () => {
      this.shown[id] = box.checked;
      apply(box.checked);
      this.request();
    };
    box.addEventListener('change', set);
    set();
    this.node.append(label);
  }

  /** By a key of the keyboard. Returns whether there is one. */
  toggle(key) {
    const box = this.boxes.get(key);
    if (!box) return false;
    box.click();
    return true;
  }

  setTheme(theme) {
    for (const {swatch, colour} of this.swatches) {
      if (!swatch.classList.contains('map')) swatch.style.background = colour(theme);
    }
  }
}
