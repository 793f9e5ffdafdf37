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
  // Lengths are not counted in Mm, but in km as far as these need no power of ten; times not in ks.
  if (factor > 1 && /^(m|s)([²³/·]|$)/.test(unit))
    return unit === 'm' && factor <= 1e6 ? {unit: 'km', factor: 1e3} : {unit, factor: 1};
  return {unit: name + unit, factor};
}

function withUnit(text, unit) {
  return unit && unit !== '1' ? `${text} ${unit}` : text;
}

/** A value with its unit, prefixed by its size. */
export function formatQuantity(value, unit, digits = 4) {
  if (value === null || !Number.isFinite(value)) return formatNumber(value);
  const {unit: shown, factor} = prefixed(unit, Math.abs(value));
  return withUnit(formatNumber(value / factor, digits), shown);
}

/** Components smaller than this share of the largest are rounding errors and shown as 0. */
const NEGLIGIBLE = 1e-12;
/** Directions are not known as finely: they come from quotients of integrals. */
const NEGLIGIBLE_TILT = 1e-6;
/** Beyond this ratio of sizes a component that is as fine as the largest would lose all digits. */
const MOST_APART = 1e3;

/** The power of ten that all numbers of this size share; 0 where they are read without. */
function sharedPower(size) {
  const exponent = size > 0 ? Math.floor(Math.log10(size)) : 0;
  return {exponent, common: exponent < -3 || exponent > 5 ? exponent : 0};
}

function withPower(text, common) {
  return common ? `${text}·10${superscript(common)}` : text;
}

/**
 * A vector with one unit. Components of like size share a power of ten, if they need one, and are
 * as fine as the largest; where sizes are apart, each has its own `digits`.
 */
export function formatVector(vector, unit, digits = 4) {
  const size = Math.max(...vector.map(Math.abs));
  const least = (unit === '' ? NEGLIGIBLE_TILT : NEGLIGIBLE) * size;
  const kept = vector.map((v) => (Math.abs(v) < least ? 0 : v));
  const apart = kept.some((v) => v !== 0 && Math.abs(v) * MOST_APART < size);
  const {unit: shown, factor} = prefixed(unit, size);
  if (apart) {
    // Small ones beside kilometres or meganewtons are read in the plain unit.
    const [name, one] = factor > 1 ? [unit, 1] : [shown, factor];
    return withUnit(`(${kept.map((v) => formatNumber(v / one, digits)).join(', ')})`, name);
  }
  const {exponent, common} = sharedPower(size / factor);
  const decimals = Math.max(0, digits - 1 - (exponent - common));
  const parts =
      kept.map((v) => formatNumber(Number((v / factor / 10 ** common).toFixed(decimals)), digits));
  return withUnit(withPower(`(${parts.join(', ')})`, common), shown);
}

/** Of volumes and their brackets, as `query` prints them. */
const MOST_DIGITS = 10;

/** Text of at most so many decimals, rounded down (-1), up (1) or to the nearest (0). */
function rounded(value, decimals, direction) {
  const near = Number(value.toFixed(decimals));
  const missed = direction * (value - near) > 0;
  const text = (missed ? near + direction * 10 ** -decimals : near).toFixed(decimals);
  return (decimals ? text.replace(/\.?0+$/, '') : text).replace(/^-0$/, '0').replace('-', '−');
}

/**
 * A value and its bracket, with as many digits as the bracket's width asks, 10 at most, the bracket
 * rounded outward: what is shown holds low ≤ value ≤ high, too.
 * @returns {{value: string, bracket: string}}
 */
export function formatBracketed(value, [low, high], unit, digits = 6) {
  const size = Math.abs(value) || Math.max(Math.abs(low), Math.abs(high));
  const {unit: shown, factor} = prefixed(unit, size);
  const {exponent, common} = sharedPower(size / factor);
  const width = high - low;
  const needed = width > 0 && size > 0 ? Math.ceil(Math.log10(size / width)) + 2 : 0;
  const counted = Math.min(MOST_DIGITS, Math.max(digits, needed));
  const decimals = Math.max(0, counted - 1 - (exponent - common));
  const text = (v, direction) =>
      rounded(v / factor / 10 ** common, decimals, width > 0 ? direction : 0);
  return {
    value: withUnit(withPower(text(value, 0), common), shown),
    bracket: withUnit(withPower(`(${text(low, -1)}, ${text(high, 1)})`, common), shown),
  };
}

/** What a quantity is at least: rounded down. */
export function formatAtLeast(value, unit, digits = 6) {
  const {unit: shown, factor} = prefixed(unit, Math.abs(value));
  const {exponent, common} = sharedPower(Math.abs(value) / factor);
  const decimals = Math.max(0, digits - 1 - (exponent - common));
  const text = rounded(value / factor / 10 ** common, decimals, -1);
  return `at least ${withUnit(withPower(text, common), shown)}`;
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
