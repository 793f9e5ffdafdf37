// The motion of a run: the glTF's animation at a time, the forces as they were, the paths so far.

import {AnimationMixer, LoopOnce} from 'three';

import {locateTime, withoutNoise} from './time_series.js';

const UNITS = {
  force: 'N',
  torque: 'N m'
};

/** A contact of a run with its forces and torques as they are shown. */
function shownContact(contact) {
  const shown = {...contact};
  for (const [quantity, unit] of Object.entries(UNITS))
    if (contact[quantity]) [shown[quantity]] = withoutNoise([contact[quantity]], unit);
  return shown;
}

/** Segments of a wide line, points of a thin one. */
function pieces(geometry) {
  return geometry.isLineSegmentsGeometry ? geometry.instanceCount :
                                           geometry.getAttribute('position').count;
}

export class Motion {
  /** @param {object} model with a run, whose lines have their looks */
  constructor(model) {
    this.run = model.data.run;
    this.mixer = new AnimationMixer(model.root);
    this.action = null;
    // A clip of one time has no length to play, and leaves nothing but NaN: its nodes stand there.
    if (model.clip && !this.isStill) {
      this.action = this.mixer.clipAction(model.clip);
      this.action.setLoop(LoopOnce);
      this.action.clampWhenFinished = true;
      this.action.play();
    }
    this.trails =
        model.items.filter((item) => item.data.kind === 'trail').flatMap((item) => item.lines);
    for (const trail of this.trails) trail.userData.all = pieces(trail.geometry);
    this.contacts = new Map(this.run.contacts.map((c) => [c.name, shownContact(c)]));
    this.time = this.start;
  }

  get start() {
    return this.run.times[0];
  }

  get end() {
    return this.run.times[this.run.times.length - 1];
  }

  /** Of one time there is nothing to play: a picture as it was then. */
  get isStill() {
    return !(this.end > this.start);
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
    const share = (this.place.row + this.place.share) / Math.max(1, this.run.times.length - 1);
    for (const {geometry, userData} of this.trails) {
      const drawn = Math.round(share * userData.all);
      if (geometry.isLineSegmentsGeometry)
        geometry.instanceCount = drawn;
      else
        geometry.setDrawRange(0, drawn);
    }
  }

  /** Rows forth or back from where the time is. */
  stepTime(rows) {
    const {row, share} = this.place;
    const from = rows < 0 && share > 0 ? row + 1 : row;
    return this.run.times[Math.min(this.run.times.length - 1, Math.max(0, from + rows))];
  }

  /**
   * The vectors of an arrow at all times: its own, or those of the run's contact; null where
   * neither is told.
   */
  seriesOf(data) {
    if (data.vectors?.length === this.run.times.length) return data.vectors;
    return this.contacts.get(data.contact)?.[data.quantity] ?? null;
  }
}
