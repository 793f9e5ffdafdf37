// Numbers with units as people write them: SI prefixes, few digits, round ticks.

const PREFIXES = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
  [1e-12, 'p'],
];
const SUPERSCRIPTS = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹'
};
// Units that take no prefix: numbers without dimension, angles, kilograms, and moments whose powers
// of metres confuse.
const PLAIN = /^$|^1$|^%$|^rad|^°|^kg|m⁵|m⁴/;

function superscript(exponent) {
  return [...String(exponent)].map((c) => SUPERSCRIPTS[c]).join('');
}

/**
 * A number with `digits` significant digits, a true minus, and powers of ten where zeros would be
 * counted.
 */
export function formatNumber(value, digits = 4) {
  if (value === null || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  let text;
  if (size >= 1e-3 && size < 1e6) {
    text = String(Number(value.toPrecision(digits)));
  } else {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    text = `${Number(mantissa)}·10${superscript(Number(exponent))}`;
  }
  return text.replace('-', '−');
}

/** How the unit's metres are raised: its prefix is raised with them (1 mm² = 1e-6 m²). */
function power(unit) {
  const found = /^m([²³])/.exec(unit);
  return found ? {'²': 2, '³': 3}[found[1]] : 1;
}

/**
 * The unit with the prefix under which numbers of this size are easy to read.
 * @returns {{unit: string, factor: number}} to be divided by factor
 */
export function prefixed(unit, size) {
  if (PLAIN.test(unit) || !(size > 0) || !Number.isFinite(size)) return {unit, factor: 1};
  const raised = power(unit);
  // 999.96 would be written as 1000: the next prefix is taken already there.
  for (const [factor, name] of PREFIXES) {
    // Areas and volumes have few prefixes: their numbers may begin with zeros.
    if (size * (1 + 1e-4) >= factor ** raised / 10 ** (raised === 1 ? 0 : raised))
      return fits(unit, name, factor ** raised);
  }
  return {unit, factor: 1};
}

function fits(unit, name, factor) {
  // Lengths are not counted in Mm, times not in ks.
  if (factor > 1 && /^(m|s)([²³/·]|$)/.test(unit) && !(name === 'k' && /^m$/.test(unit)))
    return {unit, factor: 1};
  return {unit: name + unit, factor};
}

/** A value with its unit, prefixed by its size. */
export function formatQuantity(value, unit, digits = 4) {
  if (value === null || !Number.isFinite(value)) return formatNumber(value);
  const {unit: shown, factor} = prefixed(unit, Math.abs(value));
  return `${formatNumber(value / factor, digits)}${shown && shown !== '1' ? ' ' + shown : ''}`;
}

/**
 * A vector with one unit, and if need be one power of ten, for all components; each as finely as
 * the largest: what is less is 0 beside it.
 */
export function formatVector(vector, unit, digits = 4) {
  const size = Math.max(...vector.map(Math.abs));
  const {unit: shown, factor} = prefixed(unit, size);
  const exponent = size > 0 ? Math.floor(Math.log10(size / factor)) : 0;
  const common = exponent < -3 || exponent > 5 ? exponent : 0;
  const decimals = Math.max(0, digits - 1 - (exponent - common));
  const parts = vector.map(
      (v) => formatNumber(Number((v / factor / 10 ** common).toFixed(decimals)), digits));
  const power = common ? `·10${superscript(common)}` : '';
  return `(${parts.join(', ')})${power}${shown && shown !== '1' ? ' ' + shown : ''}`;
}

/** The largest of 1, 2, 5 times a power of ten that is not above `size`. */
export function roundBelow(size) {
  const decade = 10 ** Math.floor(Math.log10(size));
  const rest = (size / decade) * (1 + 1e-9);
  return (rest >= 5 ? 5 : rest >= 2 ? 2 : 1) * decade;
}

/** Round numbers from `min` to `max`, `count` of them at most. */
export function ticks(min, max, count = 6) {
  if (!(max > min)) return [min];
  const raw = (max - min) / count;
  const below = roundBelow(raw);
  const step = [below, 2 * below, 2.5 * below, 5 * below].find((s) => s >= raw && isRound(s));
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({length: last - first + 1}, (_, i) => (first + i) * step);
}

function isRound(step) {
  return Math.abs(roundBelow(step) / step - 1) < 1e-6;
}
