// What needs no browser: numbers with units, ticks, colours, values between rows.

import assert from 'node:assert/strict';
import test from 'node:test';

import {MAP_SIZE, mapBytes} from '../../tools/view/src/colour_map.js';
import {formatAtLeast, formatBracketed, formatNumber, formatQuantity, formatVector, prefixed, roundBelow, ticks} from '../../tools/view/src/numbers.js';
import {locateTime, valueAt, withoutNoise} from '../../tools/view/src/time_series.js';

test('quantities have the prefix that makes them short', () => {
  const cases = [
    [0.0244444, 'm', '24.44 mm'],
    [1.843e8, 'N', '184.3 MN'],
    [1.2e7, 'Pa', '12 MPa'],
    [-3.2, 'N·m', '−3.2 N·m'],
    [0.00753, 'm²', '7530 mm²'],
    [2.08099e-5, 'm³', '20810 mm³'],
    [3e-17, 'm³', '30 µm³'],
    [3.26e-20, 'm³', '0.0326 µm³'],
    [0.05, 'm²', '0.05 m²'],
    [1e-7, 'm⁵', '1·10⁻⁷ m⁵'],
    [1234, 'm', '1.234 km'],
    [1e6, 'm', '1000 km'],
    [5e8, 'm', '500000 km'],
    [1e9, 'm', '1·10⁹ m'],
    [1234, 'm/s', '1234 m/s'],
    [0.0032, 's', '3.2 ms'],
    [5000, 's', '5000 s'],
    [999.97, 'Pa', '1 kPa'],
    [0, 'N', '0 N'],
    [0.5, '', '0.5'],
    [0.5, '1', '0.5'],
    [2.5, 'rad/s', '2.5 rad/s'],
    [0.01, 'kg', '0.01 kg'],
    [null, 'N', '–'],
    [NaN, 'N', '–'],
    [Infinity, 'N', '∞'],
    [-1e-30, 'm', '−1·10⁻³⁰ m'],
  ];
  for (const [value, unit, text] of cases) assert.equal(formatQuantity(value, unit), text);
  assert.equal(formatVector([0, 1e-20, -0.0145], 'm'), '(0, 0, −14.5) mm');
  assert.equal(formatVector([5.2634e-11, -1.115e-11, 1e-24], 'm⁵'), '(5.263, −1.115, 0)·10⁻¹¹ m⁵');
  assert.equal(formatVector([0, 0, 0], 'm'), '(0, 0, 0) m');
  assert.equal(formatVector([6.034, -5.2534, 3.489e-5], 'm'), '(6.034, −5.253, 3.489·10⁻⁵) m');
  assert.equal(formatVector([4.17e-4, -3.65e-9, 1], ''), '(4.17·10⁻⁴, 0, 1)');
  assert.equal(formatVector([1e6, 0, 0.04997], 'm'), '(1·10⁶, 0, 0.04997) m');
  assert.equal(formatVector([2e6, 1e5, 3e4], 'm'), '(2000, 100, 30) km');
  assert.equal(formatNumber(123456.7), '123500');
});

/** What is read from a text of numbers, in the unit of the text. */
function numbersIn(text) {
  const [, list, power] = /^\(?([^)·]*)\)?(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?/.exec(text);
  const digits = (power ?? '⁰').replace(/./gu, (c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c) - 1 + ',');
  const exponent = digits.split(',').slice(0, -1).join('').replace('-1', '-');
  return list.split(', ').map((v) => parseFloat(v.replace('−', '-')) * 10 ** Number(exponent));
}

test('a bracket holds the volume beside it as both are shown', () => {
  assert.deepEqual(
      formatBracketed(8.37758e-5, [8.37754e-5, 8.37761e-5], 'm³'),
      {value: '83775.8 mm³', bracket: '(83775.4, 83776.1) mm³'});
  assert.equal(formatBracketed(1 / 3, [1 / 3, 1 / 3], 'm³').bracket, '(0.333333, 0.333333) m³');
  assert.equal(
      formatBracketed(0.12345678, [0.12345677, 0.12345679], 'm³').bracket,
      '(0.12345677, 0.12345679) m³');
  for (let i = 1; i < 400; i++) {
    const volume = (0.1 + Math.abs(Math.sin(i))) * 10 ** ((i % 40) - 30);
    const relative = 10 ** -(i % 13);
    const bounds = [volume * (1 - relative * Math.abs(Math.cos(i))), volume * (1 + relative)];
    const shown = formatBracketed(volume, bounds, 'm³');
    const [low, high] = numbersIn(shown.bracket);
    const [value] = numbersIn(shown.value);
    assert.ok(low <= value && value <= high, `${shown.value} in ${shown.bracket}`);
    assert.equal(shown.value.split(' ')[1], shown.bracket.split(' ').at(-1), 'one unit');
    assert.ok((high - low) / value < 1.25 * (bounds[1] - bounds[0]) / volume + 2.1e-5, 'no wider');
  }
  assert.equal(formatAtLeast(0.03680059, 'm'), 'at least 36.8005 mm');
  assert.equal(formatAtLeast(1.5, 'm'), 'at least 1.5 m');
  assert.equal(formatAtLeast(0, 'm'), 'at least 0 m');
});

test('a prefix never changes the value', () => {
  for (let exponent = -14; exponent < 14; exponent += 0.37) {
    for (const unit of ['m', 'm²', 'm³', 'N', 'Pa', 's', 'N·m']) {
      const value = 1.7 * 10 ** exponent;
      const {unit: shown, factor} = prefixed(unit, value);
      const name = shown.slice(0, shown.length - unit.length);
      const power = unit === 'm²' ? 2 : unit === 'm³' ? 3 : 1;
      const known = {T: 12, G: 9, M: 6, k: 3, '': 0, m: -3, µ: -6, n: -9, p: -12}[name];
      assert.ok(
          Math.abs(factor / 10 ** (known * power) - 1) < 1e-9, `${value} ${unit} as ${shown}`);
    }
  }
});

test('ticks are round, ascending, within the range, and not too many', () => {
  for (const [min, max] of [
           [0, 1], [0, 3.3e6], [-2, 7.1], [0, 0.00487], [-1e-9, 1e-9], [100, 101], [0, 12]]) {
    const marks = ticks(min, max, 6);
    assert.ok(marks.length >= 3 && marks.length <= 8, `${marks} in ${min} to ${max}`);
    const step = marks[1] - marks[0];
    marks.forEach((mark, i) => {
      assert.ok(mark >= min - 1e-9 * step && mark <= max + 1e-9 * step);
      assert.ok(i === 0 || Math.abs(mark - marks[i - 1] - step) < 1e-9 * step);
    });
    assert.ok(Math.abs(roundBelow(step) / step - 1) < 1e-6);
  }
  assert.deepEqual(ticks(5, 5), [5]);
});

test('the map is viridis, whose lightness ascends evenly', () => {
  // From matplotlib's table: a fifth of each quarter, both ends.
  const known = {
    0: [68, 1, 84],
    64: [59, 82, 139],
    128: [33, 145, 140],
    192: [94, 201, 98],
    255: [253, 231, 37]
  };
  const bytes = mapBytes();
  assert.equal(bytes.length, 4 * MAP_SIZE);
  for (const [i, colour] of Object.entries(known))
    assert.deepEqual([...bytes.slice(4 * i, 4 * i + 3)], colour);
  // CIE lightness of sRGB.
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const lightness = (i) => {
    const [r, g, b] = [0, 1, 2].map((k) => linear(bytes[4 * i + k] / 255));
    return 116 * Math.cbrt(0.2126 * r + 0.7152 * g + 0.0722 * b) - 16;
  };
  const slope = (lightness(255) - lightness(0)) / 255;
  for (let i = 0; i + 16 < 256; i += 16) {
    assert.ok(Math.abs((lightness(i + 16) - lightness(i)) / 16 / slope - 1) < 0.25, `at ${i}`);
  }
});

test('forces that are rounding beside the greatest of their run are 0, other values stay', () => {
  const force = [null, [0, 0, 2.9e-20], [0, 3, 4], [1e-10, 0, 0]];
  assert.deepEqual(withoutNoise([force], 'N'), [[null, [0, 0, 0], [0, 3, 4], [0, 0, 0]]]);
  // The greatest is that of all lists; and a run may hold nothing but rounding.
  assert.deepEqual(withoutNoise([[1e-10, 2e-6], [4]], 'N m'), [[0, 2e-6], [4]]);
  assert.deepEqual(withoutNoise([[2.9e-20, -1e-16]], 'N'), [[0, 0]]);
  assert.deepEqual(withoutNoise([[1e-12]], 'N'), [[1e-12]]);
  assert.deepEqual(withoutNoise([[2.9e-20, 4]], 'm'), [[2.9e-20, 4]]);
});

test('values between rows lie on lines; unknown ones stay unknown', () => {
  const times = [0, 1, 3, 3, 4];
  assert.deepEqual(locateTime(times, 2), {row: 1, share: 0.5});
  assert.deepEqual(locateTime(times, -1), {row: 0, share: 0});
  assert.deepEqual(locateTime(times, 9), {row: 4, share: 0});
  const at = (t, values) => valueAt(values, locateTime(times, t));
  assert.equal(at(2, [0, 10, 20, 30, 40]), 15);
  assert.equal(at(3.5, [0, 10, 20, 30, 40]), 35);
  assert.deepEqual(at(0.5, [[0, 0, 0], [2, 4, 6], null, null, null]), [1, 2, 3]);
  assert.equal(at(2, [0, 10, null, 30, 40]), null);
  assert.equal(at(1, [0, 10, null, 30, 40]), 10);
});
