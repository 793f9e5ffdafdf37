// Keys, and the help that lists them. One table is both: a key that works is a key that is listed.

import {element, keyCap} from './dom.js';

const TURN = 5;      // degrees
const SHIFT = 0.04;  // of the picture's height
const ZOOM = 1.15;

/** Elements that use these keys themselves. */
function isTyping(event) {
  const {target} = event;
  if (target.tagName === 'SELECT') return true;
  if (target.tagName === 'INPUT' && target.type === 'range')
    return /^(Arrow|Home|End|Page)/.test(event.key);
  return (target.tagName === 'BUTTON' || target.tagName === 'INPUT') &&
      (event.key === ' ' || event.key === 'Enter');
}

/**
 * The table of keys: [keys, what they do, action(event)]; keys as KeyboardEvent.key gives them.
 * @param {object} app {eye, player, panel, theme, fit, fitContact, help}; player may be null
 */
function table({eye, player, theme, fit, fitContact, help}) {
  const rows = [
    [['f'], 'fit everything', () => fit()],
    [['g'], 'fit the contact', () => fitContact()],
    [['0', 'Home'], 'view from the corner', () => eye.look('corner')],
    [['1', 'y'], 'front', () => eye.look('front')],
    [['3', 'x'], 'right', () => eye.look('right')],
    [['7', 'z'], 'top', () => eye.look('top')],
    [['Y'], 'back', () => eye.look('back')],
    [['X'], 'left', () => eye.look('left')],
    [['Z'], 'bottom', () => eye.look('bottom')],
    [['p', '5'], 'parallel or perspective projection', () => eye.toggleProjection()],
    [['ArrowLeft'], 'turn', () => eye.orbit(-TURN, 0)],
    [['ArrowRight'], 'turn', () => eye.orbit(TURN, 0)],
    [['ArrowUp'], 'turn', () => eye.orbit(0, TURN)],
    [['ArrowDown'], 'turn', () => eye.orbit(0, -TURN)],
    [['Shift+ArrowLeft'], 'shift', () => eye.pan(-SHIFT, 0)],
    [['Shift+ArrowRight'], 'shift', () => eye.pan(SHIFT, 0)],
    [['Shift+ArrowUp'], 'shift', () => eye.pan(0, SHIFT)],
    [['Shift+ArrowDown'], 'shift', () => eye.pan(0, -SHIFT)],
    [['+', '='], 'nearer', () => eye.zoom(ZOOM)],
    [['-'], 'farther', () => eye.zoom(1 / ZOOM)],
    [['t'], 'light or dark', () => theme.toggle()],
    [['h', '?'], 'this help', () => help()],
  ];
  if (player) {
    rows.push(
        [[' '], 'play or pause', () => player.toggle()],
        [[','], 'one row back', () => player.step(-1)],
        [['.'], 'one row forth', () => player.step(1)],
        [['<'], 'event before', () => player.stepEvent(-1)],
        [['>'], 'next event', () => player.stepEvent(1)],
        [['['], 'slower', () => player.changeSpeed(-1)],
        [[']'], 'faster', () => player.changeSpeed(1)],
        [['End'], 'end of the run', () => player.setTime(player.motion.end)],
        [['Backspace'], 'start of the run', () => player.setTime(player.motion.start)]);
  }
  return rows;
}

const NAMES = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  X: 'Shift+x',
  Y: 'Shift+y',
  Z: 'Shift+z'
};

function caps(keys) {
  return keys.map(
      (key) => keyCap(key.replace('Shift+', '⇧ ').replace(/Arrow\w+|^[ XYZ]$/, (k) => NAMES[k])));
}

function helpRows(rows) {
  const merged = new Map();  // keys that do the same stand in one row
  for (const [keys, what] of rows) merged.set(what, [...(merged.get(what) ?? []), ...keys]);
  return [...merged].map(
      ([what, keys]) => element(
          'div', {class: 'help-row'}, element('span', {class: 'caps'}, ...caps(keys)),
          element('span', {}, what)));
}

/**
 * Listens for keys, and fills the help.
 * @param {HTMLElement} list where the help's rows go
 */
export function bindKeys(app, list) {
  const rows = table(app);
  const actions = new Map(rows.flatMap(([keys, , action]) => keys.map((key) => [key, action])));
  list.append(...helpRows(rows));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || app.dialog.open)
      return;
    const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const action = actions.get(key);
    if (action)
      action(event);
    else if (!app.panel.toggle(key))
      return;
    event.preventDefault();
  });
}
