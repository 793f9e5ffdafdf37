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
