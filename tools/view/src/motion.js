// The motion of a run: the glTF's animation at a time, the forces as they were, the paths so far.

import { AnimationMixer, LoopOnce } from 'three';

/** Where `time` lies among ascending times: the row before it, and the share of the way to the next one. */
export function locateTime(times, time) {
  let low = 0;
  let high = times.length - 1;
  if (time <= times[0]) return { row: 0, share: 0 };
  if (time >= times[high]) return { row: high, share: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const gap = times[high] - times[low];
  return { row: low, share: gap > 0 ? (time - times[low]) / gap : 0 };
}

/** The value at a place of locateTime; null where it is not known. */
export function valueAt(values, { row, share }) {
  const here = values[row];
  const next = values[Math.min(row + 1, values.length - 1)];
  if (here === null || share === 0) return here;
  if (next === null) return null;
  return Array.isArray(here) ? here.map((v, i) => v + share * (next[i] - v)) : here + share * (next - here);
}

/** Segments of a wide line, points of a thin one. */
function pieces(geometry) {
  return geometry.isLineSegmentsGeometry ? geometry.instanceCount : geometry.getAttribute('position').count;
}

export class Motion {
  /** @param {object} model with a run, whose lines have their looks */
  constructor(model) {
    this.run = model.data.run;
    this.mixer = new AnimationMixer(model.root);
    this.action = null;
    if (model.clip) {
      this.action = this.mixer.clipAction(model.clip);
      this.action.setLoop(LoopOnce);
      this.action.clampWhenFinished = true;
      this.action.play();
    }
    this.trails = model.items.filter((item) => item.data.kind === 'trail').flatMap((item) => item.lines);
    for (const trail of this.trails) trail.userData.all = pieces(trail.geometry);
    this.contacts = new Map(this.run.contacts.map((contact) => [contact.name, contact]));
    this.time = this.start;
  }

  get start() {
    return this.run.times[0];
  }

  get end() {
    return this.run.times[this.run.times.length - 1];
  }

  setTime(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.place = locateTime(this.run.times, this.time);
    if (this.action) {
      // Set by hand, not advanced: the slider goes both ways.
      this.action.paused = false;
      this.action.enabled = true;
      this.action.time = this.time;
      this.mixer.update(0);
    }
    const share = (this.place.row + this.place.share) / (this.run.times.length - 1);
    for (const { geometry, userData } of this.trails) {
      const drawn = Math.round(share * userData.all);
      if (geometry.isLineSegmentsGeometry) geometry.instanceCount = drawn;
      else geometry.setDrawRange(0, drawn);
    }
  }

  /** Rows forth or back from where the time is. */
  stepTime(rows) {
    const { row, share } = this.place;
    const from = rows < 0 && share > 0 ? row + 1 : row;
    return this.run.times[Math.min(this.run.times.length - 1, Math.max(0, from + rows))];
  }

  /** The vector of an arrow now; null where the run tells none. */
  vectorOf(data) {
    const series = this.contacts.get(data.contact)?.[data.quantity];
    return series ? valueAt(series, this.place) : null;
  }
}
