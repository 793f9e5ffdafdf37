// Plots of a run under the scene (uPlot), with a line where the time is, and the values there or
// under the pointer. Dragging over a plot moves the time.

import uPlot from 'uplot';

import {element, setText} from './dom.js';
import {formatNumber, formatQuantity, prefixed} from './numbers.js';
import {CURVES} from './palette.js';
import {locateTime, valueAt, withoutNoise} from './time_series.js';

const HEIGHT = 150;
const TEXT_INTERVAL = 100;  // ms between updates of the numbers
const FONT = '11px system-ui, sans-serif';
const INK = {
  light: {text: '#4c5866', grid: '#e3e7ec', event: '#9aa5b1'},
  dark: {text: '#a5b0bc', grid: '#2c333c', event: '#66717d'}
};

/** The size of what is drawn, for the prefix of the unit. */
function largest(curves) {
  let size = 0;
  for (const {values} of curves)
    for (const v of values)
      if (v !== null && Math.abs(v) > size) size = Math.abs(v);
  return size;
}

/** A plot whose forces are shown without their rounding. */
function shownPlot(plot) {
  const values = withoutNoise(plot.curves.map((curve) => curve.values), plot.unit);
  return {...plot, curves: plot.curves.map((curve, i) => ({...curve, values: values[i]}))};
}

class Plot {
  /** @param {object} on {time, pointer}: called with a time; pointer also with null */
  constructor(parent, run, shown, on) {
    const plot = shownPlot(shown);
    this.run = run;
    this.plot = plot;
    this.theme = 'light';
    const {unit, factor} = prefixed(plot.unit, largest(plot.curves));
    this.readouts = plot.curves.map((curve) => ({
                                      value: element('span', {class: 'curve-value'}),
                                      swatch: element('span', {class: 'swatch'}),
                                      curve
                                    }));
    const names = element(
        'div', {class: 'curves'},
        ...this.readouts.map(
            ({value, swatch, curve}) => element(
                'span', {class: 'curve'}, swatch,
                element('span', {class: 'curve-name', title: curve.name}, curve.name), value)));
    this.area = element('div', {class: 'plot-area'});
    const title = `${plot.title}${unit && unit !== '1' ? ` [${unit}]` : ''}`;
    this.node = element(
        'figure', {class: 'plot', 'aria-label': title}, element('figcaption', {}, title), names,
        this.area);
    parent.append(this.node);

    const data = [
      run.times,
      ...plot.curves.map(
          ({values}) =>
              (factor === 1 ? values : values.map((v) => (v === null ? null : v / factor))))
    ];
    this.uplot = new uPlot(this.#options(), data, this.area);
    this.line = element('div', {class: 'plot-time'});
    this.pointer = element('div', {class: 'plot-pointer'}, element('span', {}));
    this.pointer.hidden = true;
    this.uplot.over.append(this.line, this.pointer);
    this.#scrub(on);
  }

  #options() {
    const ink = () => INK[this.theme];
    const axis = {
      font: FONT,
      stroke: () => ink().text,
      grid: {stroke: () => ink().grid, width: 1},
      ticks: {stroke: () => ink().grid, width: 1, size: 4},
    };
    return {
      width: 360,
      height: HEIGHT,
      legend: {show: false},
      cursor: {show: false},
      scales: {x: {time: false, range: (_u, min, max) => [min, max]}},
      axes: [
        {...axis, size: 26, space: 60, values: (_u, all) => all.map((t) => formatQuantity(t, 's'))},
        {...axis, size: 58, space: 22, values: (_u, all) => all.map((v) => formatNumber(v))},
      ],
      series: [
        {},
        ...this.plot.curves.map((curve, i) => ({
                                  label: curve.name,
                                  width: 1.5,
                                  points: {show: false},
                                  spanGaps: false,
                                  stroke: () => CURVES[this.theme][i % CURVES[this.theme].length],
                                }))
      ],
      hooks: {drawAxes: [(u) => this.#drawEvents(u)]},
    };
  }

  #drawEvents(u) {
    const {ctx, bbox} = u;
    ctx.save();
    ctx.strokeStyle = INK[this.theme].event;
    ctx.globalAlpha = 0.6;
    ctx.setLineDash([3, 3]);
    ctx.lineWidth = 1;
    ctx.beginPath();
    let last = -Infinity;
    for (const {time} of this.run.events) {
      const x = u.valToPos(time, 'x', true);
      // Events in one place are one line.
      if (x - last < 3 || x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      last = x;
    }
    ctx.stroke();
    ctx.restore();
  }

  #scrub(on) {
    const {over} = this.uplot;
    const timeAt = (event) =>
        this.uplot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      on.pointer(null);
      on.time(timeAt(event));
    });
    over.addEventListener('pointermove', (event) => {
      if (over.hasPointerCapture(event.pointerId))
        on.time(timeAt(event));
      else
        on.pointer(timeAt(event));
    });
    over.addEventListener('pointerleave', () => on.pointer(null));
  }

  resize() {
    const width = Math.floor(this.area.clientWidth);
    if (width > 0 && width !== this.uplot.width) this.uplot.setSize({width, height: HEIGHT});
  }

  setTheme(theme) {
    this.theme = theme;
    this.readouts.forEach(({swatch}, i) => {
      swatch.style.background = CURVES[theme][i % CURVES[theme].length];
    });
    this.uplot.redraw(false, true);
  }

  /** A second line, with the time beside it, while the pointer is over a plot; null: none. */
  movePointer(time) {
    this.pointer.hidden = time === null;
    if (time === null) return;
    const x = this.uplot.valToPos(time, 'x');
    this.pointer.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.pointer.classList.toggle('to-left', x > this.uplot.over.clientWidth / 2);
    setText(this.pointer.firstChild, formatQuantity(time, 's'));
  }

  moveLine(time) {
    this.line.style.transform = `translateX(${this.uplot.valToPos(time, 'x').toFixed(1)}px)`;
  }

  showValues(place) {
    for (const {value, curve} of this.readouts) {
      setText(value, formatQuantity(valueAt(curve.values, place), this.plot.unit, 3));
    }
  }
}

export class Plots {
  constructor(node, run, onTime) {
    this.run = run;
    this.time = run.times[0];
    this.pointed = null;  // the time under the pointer
    this.lastText = -Infinity;
    this.pending = null;
    const on = {time: onTime, pointer: (time) => this.#point(time)};
    this.plots =
        run.plots.filter((plot) => plot.curves.length).map((plot) => new Plot(node, run, plot, on));
    node.hidden = this.plots.length === 0;
    new ResizeObserver(() => this.resize()).observe(node);
  }

  resize() {
    for (const plot of this.plots) plot.resize();
    this.setTime(this.time);
  }

  setTheme(theme) {
    for (const plot of this.plots) plot.setTheme(theme);
  }

  /** Shows the values at a time of the run in all plots, or those of the player's time again. */
  #point(time) {
    const {times} = this.run;
    this.pointed =
        time === null ? null : Math.min(times[times.length - 1], Math.max(times[0], time));
    for (const plot of this.plots) plot.movePointer(this.pointed);
    this.#showValues();
  }

  /**
   * Lines follow at once; numbers, which nobody reads at 60 frames/s, ten times a second and at
   * the end.
   */
  setTime(time) {
    this.time = time;
    for (const plot of this.plots) plot.moveLine(time);
    const now = performance.now();
    clearTimeout(this.pending);
    if (now - this.lastText >= TEXT_INTERVAL)
      this.#showValues();
    else
      this.pending = setTimeout(() => this.#showValues(), TEXT_INTERVAL);
  }

  #showValues() {
    this.lastText = performance.now();
    const place = locateTime(this.run.times, this.pointed ?? this.time);
    for (const plot of this.plots) plot.showValues(place);
  }
}
