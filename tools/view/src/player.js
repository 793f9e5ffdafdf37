// Time: slider, play, speed, steps, and the marks of events on the slider.

import {element, setText} from './dom.js';
import {formatNumber, formatQuantity, roundBelow} from './numbers.js';

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** A run shorter than this is played slower at first, as one that lasts so long. */
const SHORTEST_SHOW = 2;  // seconds
const MOST_MARKS = 400;

export class Player {
  /**
   * @param {object} parts elements of the page: play, slider, time, speed, back, forth, loop, marks
   * @param {(time: number) => void} onTime
   */
  constructor(parts, motion, request, onTime) {
    Object.assign(this, parts);
    this.motion = motion;
    this.request = request;
    this.onTime = onTime;
    this.playing = false;
    const length = motion.end - motion.start;
    this.rate = length >= SHORTEST_SHOW ?
        1 :
        Math.max(SPEEDS[0], Math.min(1, roundBelow(length / SHORTEST_SHOW)));
    this.unit = formatQuantity(length, 's').endsWith('ms') ? {name: 'ms', factor: 1e-3} :
                                                             {name: 's', factor: 1};
    this.digits = Math.max(0, Math.ceil(-Math.log10(length / this.unit.factor / 1000)));

    Object.assign(
        this.slider, {min: motion.start, max: motion.end, step: 'any', value: motion.start});
    this.slider.addEventListener('input', () => this.setTime(Number(this.slider.value)));
    this.play.addEventListener('click', () => this.toggle());
    this.back.addEventListener('click', () => this.step(-1));
    this.forth.addEventListener('click', () => this.step(1));
    for (const speed of [...new Set([...SPEEDS, this.rate])].sort((a, b) => a - b)) {
      this.speed.append(element('option', {value: speed}, `× ${formatNumber(speed)}`));
    }
    this.speed.value = String(this.rate);
    this.speed.addEventListener('change', () => {
      this.rate = Number(this.speed.value);
    });
    this.#mark();
    this.setTime(motion.start);
  }

  #mark() {
    const {events} = this.motion.run;
    const skip = Math.ceil(events.length / MOST_MARKS);
    const length = this.motion.end - this.motion.start;
    events.forEach((event, i) => {
      const share = (event.time - this.motion.start) / length;
      if (i % skip || share < 0 || share > 1) return;
      const label = `${event.name}, ${this.#timeText(event.time)}`;
      // With the keyboard, events are reached by their keys.
      const mark = element(
          'button',
          {class: 'event', type: 'button', tabindex: '-1', title: label, 'aria-label': label});
      mark.style.left = `${(100 * share).toFixed(3)}%`;
      mark.addEventListener('click', () => this.setTime(event.time));
      this.marks.append(mark);
    });
  }

  #timeText(time) {
    return `${(time / this.unit.factor).toFixed(this.digits).replace('-', '−')} ${this.unit.name}`;
  }

  setTime(time) {
    this.motion.setTime(time);
    this.slider.value = String(this.motion.time);
    const text = this.#timeText(this.motion.time);
    setText(this.time, `${text} / ${this.#timeText(this.motion.end)}`);
    this.slider.setAttribute('aria-valuetext', text);
    this.onTime(this.motion.time);
    this.request();
  }

  toggle() {
    if (!this.playing && this.motion.time >= this.motion.end) this.setTime(this.motion.start);
    this.#setPlaying(!this.playing);
  }

  #setPlaying(playing) {
    this.playing = playing;
    this.play.classList.toggle('playing', playing);
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.request();
  }

  step(rows) {
    this.#setPlaying(false);
    this.setTime(this.motion.stepTime(rows));
  }

  /** To the next event, or to the one before. */
  stepEvent(direction) {
    const {events} = this.motion.run;
    const now = this.motion.time;
    const slack = 1e-9 * (this.motion.end - this.motion.start);
    const next = direction > 0 ? events.find((e) => e.time > now + slack) :
                                 events.findLast((e) => e.time < now - slack);
    if (next) {
      this.#setPlaying(false);
      this.setTime(next.time);
    }
  }

  /** Faster or slower by one entry of the list. */
  changeSpeed(by) {
    const index = this.speed.selectedIndex + by;
    if (index < 0 || index >= this.speed.options.length) return;
    this.speed.selectedIndex = index;
    this.rate = Number(this.speed.value);
  }

  /** Before a frame. Returns whether there is more to come. */
  update(seconds) {
    if (!this.playing) return false;
    const {start, end, time} = this.motion;
    let next = time + seconds * this.rate;
    if (next >= end) {
      if (this.loop.checked) {
        next = start;
      } else {
        next = end;
        this.#setPlaying(false);
      }
    }
    this.setTime(next);
    return this.playing;
  }
}
