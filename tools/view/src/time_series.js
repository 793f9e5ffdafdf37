// Values over ascending times, between whose rows lines are drawn.

/**
 * Where `time` lies among ascending times: the row before it, and the share of the way to the next
 * one.
 */
export function locateTime(times, time) {
  let low = 0;
  let high = times.length - 1;
  if (time <= times[0]) return {row: 0, share: 0};
  if (time >= times[high]) return {row: high, share: 0};
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  const gap = times[high] - times[low];
  return {row: low, share: gap > 0 ? (time - times[low]) / gap : 0};
}

/** The value at a place of locateTime; null where it is not known. */
export function valueAt(values, {row, share}) {
  const here = values[row];
  const next = values[Math.min(row + 1, values.length - 1)];
  if (here === null || share === 0) return here;
  if (next === null) return null;
  return Array.isArray(here) ? here.map((v, i) => v + share * (next[i] - v)) :
                               here + share * (next - here);
}

/** Forces and torques below this share of the greatest of their run are rounding. */
const NOISE = 1e-9;
/** Below this no force between parts is anything else [N, N m]: a run may hold nothing greater. */
const LEAST_FORCE = 1e-15;
const FORCE_UNITS = new Set(['N', 'N m', 'N·m']);

function sizeOf(value) {
  return Array.isArray(value) ? Math.hypot(...value) : Math.abs(value);
}

/**
 * Lists of forces or torques, numbers or vectors, with 0 for what is rounding beside the greatest.
 */
export function withoutNoise(lists, unit) {
  if (!FORCE_UNITS.has(unit)) return lists;
  let greatest = 0;
  for (const values of lists)
    for (const v of values)
      if (v !== null) greatest = Math.max(greatest, sizeOf(v));
  const least = Math.max(NOISE * greatest, LEAST_FORCE);
  const clean = (v) => v === null || sizeOf(v) >= least ? v : Array.isArray(v) ? v.map(() => 0) : 0;
  return lists.map((values) => values.map(clean));
}
