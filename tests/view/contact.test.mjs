// The page of a contact in Chromium. Pictures are not compared with stored ones, which fonts,
// drivers and versions of Chromium change: colours at projected points and places of pixels are
// compared with what is known of the scene.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {assertColour, changedPixels, colourAt, drawn, onPage, picture, pixelOf, state, TEMPLATE, useBrowser} from './browser.mjs';
import {ballOnBlock} from './scenes.mjs';

// Of viridis, from matplotlib.
const VIRIDIS = [
  [0, [68, 1, 84]], [0.25, [59, 82, 139]], [0.5, [33, 145, 140]], [0.75, [94, 201, 98]],
  [1, [253, 231, 37]]
];

const scene = ballOnBlock({rings: 32});
const thin = ballOnBlock({depth: 2e-5, rings: 32});

useBrowser();

/** Looks from above with parallel rays, nothing but bodies, overlap and patch shown. */
async function fromAbove(page) {
  await page.keyboard.press('7');
  await page.keyboard.press('p');
  for (const key of ['n', 'r', 'm', 'k']) await page.keyboard.press(key);
}

test(
    'it loads without an error or a request, and is small',
    () => onPage(scene.glb, async (page) => {
      assert.ok(TEMPLATE.length < 3e6, `${TEMPLATE.length} bytes`);
      const now = await state(page);
      assert.equal(now.error, null);
      assert.equal(await page.title(), scene.data.title);
      assert.equal(await page.locator('h1').textContent(), scene.data.title);
      assert.match(await page.locator('#metrics').textContent(), /Contact area/);
      assert.equal(await page.locator('#run').isVisible(), false);
    }));

test('a bracket is shown where it says something', async () => {
  const {volume, ...others} = scene.data.metrics;
  for (const [bounds, converged, isShown] of [
           [[0, 3 * volume], true, false], [[0, 2 * volume], false, true],
           [[0.9 * volume, 1.1 * volume], true, true]]) {
    const metrics = {...others, volume, volume_bounds: bounds, converged};
    await onPage(ballOnBlock({extras: {metrics}}).glb, async (page) => {
      const text = await page.locator('#metrics').textContent();
      assert.equal(text.includes('bracket'), isShown, text);
    });
  }
});

test(
    'the patch has the legend\'s colours everywhere, through bodies and over the overlap, without flicker',
    () => onPage(scene.glb, async (page) => {
      await fromAbove(page);
      await page.keyboard.press('g');
      const png = await picture(page);
      for (const [u, colour] of VIRIDIS.slice(1, -1)) {
        // Pressure falls from its greatest value in the middle: where it is u of that, on a circle.
        const z = scene.centre[2] + u * 0.012;
        const radius = Math.sqrt(scene.r ** 2 - z ** 2);
        for (let i = 0; i < 48; i++) {
          const angle = (2 * Math.PI * (i + 0.3)) / 48;
          const at = await pixelOf(page, [radius * Math.cos(angle), radius * Math.sin(angle), 0]);
          assertColour(
              colourAt(png, at), colour, 9, `pressure ${u} of the greatest at ${angle.toFixed(2)}`);
        }
      }
    }));

test(
    'the legend has the map, round ticks at their heights, and a unit',
    () => onPage(scene.glb, async (page) => {
      const {ticks, title, colours} = await page.evaluate(() => {
        const canvas = document.querySelector('.legend-bar');
        const box = canvas.getBoundingClientRect();
        const context = canvas.getContext('2d');
        const image = context.getImageData(0, 0, 1, 256);
        return {
          title: document.querySelector('.legend-title').textContent,
          ticks: [...document.querySelectorAll('.legend-tick')].map((node) => {
            const {top, bottom} = node.getBoundingClientRect();
            return [Number(node.textContent), (box.bottom - (top + bottom) / 2) / box.height];
          }),
          colours: [0, 64, 128, 192, 255].map(
              (i) => [...image.data.slice(4 * (255 - i), 4 * (255 - i) + 3)]),
        };
      });
      assert.equal(title, 'Pressure [MPa]');
      assert.ok(ticks.length >= 4);
      for (const [value, share] of ticks)
        assert.ok(Math.abs(share - value / 12) < 0.01, `${value} at ${share}`);
      colours.forEach((colour, i) => assertColour(colour, VIRIDIS[i][1], 2, 'the bar'));
    }));

test(
    'hover and list tell numbers of arrows, points and the patch',
    () => onPage(scene.glb, async (page) => {
      const tooltip = page.locator('#tooltip');
      const hover = async (point) => {
        const {x, y} = await pixelOf(page, point);
        await page.mouse.move(x, y);
        await drawn(page);
        return tooltip.innerText();
      };
      const shaft = [0, 0, scene.centroid[2] + 0.06];
      const force = await hover(shaft);
      assert.match(force, /Force on the ball/);
      assert.match(force, /20\.81\s*kN/);
      assert.match(await hover([0, 0, scene.centroid[2]]), /Centroid[\s\S]*−4\.087\) mm/);
      for (const x of [0.01, 0.018, -0.022]) {
        const text = await hover([x, 0, 0]);
        const told = Number(/([\d.]+) MPa/.exec(text)?.[1]) * 1e6;
        const wanted = scene.pressure([x, 0]);
        assert.ok(
            Math.abs(told - wanted) < 0.03 * 1.2e7,
            `${told} Pa at ${x}, and ${wanted} was expected: ${text}`);
      }
      // A click keeps what it asked for, until one beside everything.
      const patch = await pixelOf(page, [0.018, 0, 0]);
      await page.mouse.click(patch.x, patch.y);
      await drawn(page);
      const kept = await tooltip.innerText();
      assert.match(kept, /MPa/);
      await page.mouse.move(30, 300);
      await drawn(page);
      assert.equal(await tooltip.innerText(), kept);
      await page.mouse.click(30, 300);
      await page.mouse.move(31, 300);
      await drawn(page);
      assert.equal(await tooltip.isVisible(), false);
      // By the keyboard alone.
      await page.locator('#vectors button').last().focus();
      await drawn(page);
      assert.match(await tooltip.innerText(), /Force on the ball[\s\S]*20\.81/);
      assert.equal(
          await page.locator('#vectors button').last().innerText().then((t) => /20\.81 kN/.test(t)),
          true);
    }));

test(
    'keys, mouse and buttons move the eye; the scale bar tells the truth',
    () => onPage(scene.glb, async (page) => {
      const near = (a, b) =>
          assert.ok(a.every((v, i) => Math.abs(v - b[i]) < 1e-3), `${a}, not ${b}`);
      for (const [key, direction] of [
               ['1', [0, -1, 0]], ['3', [1, 0, 0]], ['7', [0, 0, 1]], ['y', [0, -1, 0]],
               ['x', [1, 0, 0]], ['z', [0, 0, 1]], ['Y', [0, 1, 0]], ['X', [-1, 0, 0]],
               ['Z', [0, 0, -1]]]) {
        await page.keyboard.press(key);
        await drawn(page);
        near((await state(page)).direction, direction);
      }
      // From above, x points right and y up.
      await page.locator('button[data-view="top"]').click();
      await drawn(page);
      const [o, x, y] =
          await Promise.all([[0, 0, 0], [0.05, 0, 0], [0, 0.05, 0]].map((p) => pixelOf(page, p)));
      assert.ok(
          x.x > o.x + 20 && Math.abs(x.y - o.y) < 2 && y.y < o.y - 20 && Math.abs(y.x - o.x) < 2);

      await page.keyboard.press('p');
      await drawn(page);
      assert.equal((await state(page)).parallel, true);
      const box = await page.locator('#canvas').boundingBox();
      const middle = {x: box.x + box.width / 2, y: box.y + box.height / 2};
      const lengths = new Set();
      for (const wheel of [0, -900, 1500]) {
        await page.mouse.move(middle.x, middle.y);
        await page.mouse.wheel(0, wheel);
        await drawn(page);
        const {scaleBar} = await state(page);
        lengths.add(scaleBar);
        const width = await page.locator('#stage > .scale .bar')
                          .evaluate((node) => node.getBoundingClientRect().width);
        const [a, b] =
            await Promise.all([[0, 0, 0], [scaleBar, 0, 0]].map((p) => pixelOf(page, p)));
        assert.ok(
            Math.abs(width - Math.hypot(a.x - b.x, a.y - b.y)) < 1,
            `the bar is ${width} pixels wide`);
        const [, number, unit] =
            /([\d.]+) (\S+)/.exec(await page.locator('#stage > .scale .bar-text').textContent());
        assert.ok(
            Math.abs(Number(number) * {km: 1e3, m: 1, mm: 1e-3, 'µm': 1e-6}[unit] - scaleBar) <
            1e-9 * scaleBar);
      }
      assert.ok(lengths.size >= 3, 'the bar follows the zoom');

      await page.keyboard.press('f');
      await drawn(page);
      const dragged = (await state(page)).direction;
      await page.mouse.move(middle.x, middle.y);
      await page.mouse.down();
      await page.mouse.move(middle.x + 80, middle.y - 60, {steps: 4});
      await page.mouse.up();
      await drawn(page);
      const after = (await state(page)).direction;
      assert.ok(Math.hypot(...after.map((v, i) => v - dragged[i])) > 0.1, 'a drag turns');
      const before = (await state(page)).target;
      for (const key of ['Shift+ArrowLeft', 'ArrowUp', '+', '+', '-'])
        await page.keyboard.press(key);
      await drawn(page);
      assert.notDeepEqual((await state(page)).target, before);
      await page.keyboard.press('0');
      await page.keyboard.press('f');
      await drawn(page);
      for (const corner
               of [[-0.09, -0.07, -0.05], [0.09, -0.07, -0.05], [0.09, 0.07, 0], [0, 0, 0.088]]) {
        const at = await pixelOf(page, corner);
        assert.ok(
            at.x > box.x && at.x < box.x + box.width && at.y > box.y && at.y < box.y + box.height,
            'all is in the picture');
      }
    }));

test(
    'what is unticked is not drawn; opaque bodies hide the contact',
    () => onPage(scene.glb, async (page) => {
      await fromAbove(page);
      await drawn(page);
      const patchAt = await pixelOf(page, [0.004, 0.004, 0]);
      const ballAt = await pixelOf(page, [0.04, 0, 0.03]);
      const blockAt = await pixelOf(page, [0.08, 0.06, 0]);
      const emptyAt = await pixelOf(page, [0, 0.083, 0]);
      const look = async () => {
        const png = await picture(page);
        return (at) => colourAt(png, at);
      };
      const hue = ([r, g, b]) => [r - g, g - b];
      let at = await look();
      const [ball, block, empty] = [at(ballAt), at(blockAt), at(emptyAt)];
      assert.ok(hue(block)[0] > 15 && hue(block)[1] > 15, `the block is orange: ${block}`);
      assert.ok(ball[2] > ball[0], `the ball before it is bluish: ${ball}`);

      // The arcs, a ring about the patch, are not shown from above; with their key they are.
      const onRing = async () => Promise.all([1, 2, 3, 4, 5, 6].map(
          (angle) => pixelOf(page, [scene.rim * Math.cos(angle), scene.rim * Math.sin(angle), 0])));
      const ring = await onRing();
      const arcs = (colour) => colour[0] > colour[1] + 70 && colour[2] > colour[1] + 50;
      const hiddenArcs = ring.map(at);
      await page.keyboard.press('k');
      at = await look();
      assert.ok(
          ring.map(at).filter(arcs).length > hiddenArcs.filter(arcs).length + 3,
          `arcs: ${ring.map(at).join('; ')}, without: ${hiddenArcs.join('; ')}`);
      await page.keyboard.press('k');

      await page.keyboard.press('c');
      at = await look();
      const overlap = at(patchAt);
      assert.ok(
          overlap[0] > overlap[1] + 40 && overlap[2] > overlap[1] + 20,
          `under the patch the overlap is purple: ${overlap}`);
      await page.keyboard.press('o');
      assert.equal((await state(page)).shown.overlap, false);
      at = await look();
      assert.notDeepEqual(at(patchAt), overlap);
      await page.getByLabel('Ball', {exact: false}).first().uncheck();
      at = await look();
      assertColour(at(ballAt), block, 12, 'without the ball its place shows the block');
      await page.keyboard.press('b');
      at = await look();
      assertColour(at(blockAt), empty, 12, 'without the block there is the background');

      for (const key of ['a', 'b', 'c', 'o']) await page.keyboard.press(key);
      await page.locator('#opacity').fill('100');
      at = await look();
      const hidden = at(patchAt);
      assert.ok(hidden[2] > hidden[0] + 40, `an opaque ball hides the patch: ${hidden}`);
    }));

test(
    'a thin contact has an inset, magnified along the normal by the factor that it shows',
    () => onPage(thin.glb, async (page) => {
      const {factor} = thin.data.inset;
      const inset = page.locator('#inset');
      const text = await inset.locator('.inset-factor').textContent();
      assert.ok(text.includes(String(factor)), `${text}: ${factor}`);
      await page.keyboard.press('1');
      const png = await picture(page);
      const box = await inset.locator('.inset-picture').boundingBox();
      const rows = [];
      let least = Infinity;
      let most = -Infinity;
      for (let y = Math.ceil(box.y) + 30; y < box.y + box.height - 50; y++) {
        for (let x = Math.ceil(box.x) + 4; x < box.x + box.width - 4; x++) {
          const [r, g, b] = colourAt(png, {x, y});
          if (Math.max(r, g, b) - Math.min(r, g, b) < 60) continue;
          rows.push(y);
          least = Math.min(least, x);
          most = Math.max(most, x);
        }
      }
      const height = rows.at(-1) - rows[0] + 1;
      const width = most - least + 1;
      const wanted = (0.00002 * factor) / (2 * thin.rim);
      assert.ok(
          Math.abs(height / width / wanted - 1) < 0.06,
          `${height} by ${width} pixels, and ${wanted} was expected`);
      // The bars tell lengths across and along.
      const bar = async (name) => {
        const node = inset.locator(name);
        const [, number, unit] =
            /([\d.]+) (\S+)/.exec(await node.locator('.bar-text').textContent());
        const pixels = await node.locator('.bar').evaluate((n) => n.getBoundingClientRect().width);
        return (Number(number) * {mm: 1e-3, 'µm': 1e-6, nm: 1e-9}[unit]) / pixels;
      };
      assert.ok(Math.abs((await bar('.across')) * width / (2 * thin.rim) - 1) < 0.03);
      assert.ok(Math.abs((await bar('.along')) * height / 2e-5 - 1) < 0.06);
      await page.keyboard.press('7');
      await drawn(page);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await drawn(page);
      const told =
          Number(/pressure\s+([\d.]+) kPa/.exec(await page.locator('#tooltip').innerText())?.[1]);
      assert.ok(Math.abs(told - 20) < 0.5, `${told} kPa in the middle, and 20 was expected`);
      await page.keyboard.press('i');
      assert.equal(await inset.isVisible(), false);
    }));

test(
    'the help lists the keys, and Escape closes it',
    () => onPage(scene.glb, async (page) => {
      await page.keyboard.press('?');
      const help = page.locator('#help');
      assert.equal(await help.isVisible(), true);
      assert.match(await help.innerText(), /fit everything/);
      const before = await state(page);
      await page.keyboard.press('1');
      assert.deepEqual(
          (await state(page)).direction, before.direction, 'keys rest while the help is open');
      await page.keyboard.press('Escape');
      assert.equal(await help.isVisible(), false);
    }));

test('dark and light, with enough contrast in both', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await onPage(scene.glb, async (page) => {
      assert.equal((await state(page)).theme, colorScheme);
      const contrast = await page.evaluate(() => {
        const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        const luminance = (name) => {
          const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
          const [r, g, b] = [1, 3, 5].map((i) => linear(parseInt(hex.slice(i, i + 2), 16) / 255));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        return ['--ink', '--quiet'].flatMap(
            (ink) => ['--panel', '--ground', '--ground-low', '--hover'].map(
                (ground) => ratio(luminance(ink), luminance(ground))));
      });
      assert.ok(Math.min(...contrast) >= 4.5, `contrasts ${contrast}`);
      await page.keyboard.press('t');
      assert.notEqual((await state(page)).theme, colorScheme);
    }, {colorScheme});
  }
});

test(
    'on a narrow screen nothing sticks out',
    () => onPage(thin.glb, async (page) => {
      const {inner, scroll} = await page.evaluate(
          () => ({inner: window.innerWidth, scroll: document.documentElement.scrollWidth}));
      assert.ok(scroll <= inner, `${scroll} wide on ${inner}`);
      assert.ok((await page.locator('#canvas').boundingBox()).height > 300);
    }, {viewport: {width: 390, height: 800}}));

test(
    'everything to press or to set has a name for screen readers',
    () => onPage(thin.glb, async (page) => {
      const session = await page.context().newCDPSession(page);
      const {nodes} = await session.send('Accessibility.getFullAXTree');
      const roles =
          new Set(['button', 'checkbox', 'slider', 'combobox', 'Canvas', 'image', 'dialog']);
      const controls = nodes.filter((node) => !node.ignored && roles.has(node.role?.value));
      assert.ok(controls.length > 20, `${controls.length} controls`);
      for (const {role, name} of controls) assert.ok(name?.value, `a ${role.value} has no name`);
    }));

test('arrows of the same start, direction and length are both seen', async () => {
  const {glb} = ballOnBlock({rings: 32, arrows: [1.4, 1.4]});
  await onPage(glb, async (page) => {
    const changedBy = async (layer) => {
      const before = await picture(page);
      await page.locator(`input[data-id=${layer}]`).click();
      const after = await picture(page);
      await page.locator(`input[data-id=${layer}]`).click();
      return changedPixels(before, after);
    };
    for (const layer of ['normal', 'force']) {
      const changed = await changedBy(layer);
      assert.ok(changed > 80, `${changed} pixels are of the ${layer}`);
    }
  });
});
