// The page of a run in Chromium: time, plots, trails, forces, and how smoothly it plays.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {colourAt, drawn, onPage, picture, pixelOf, state, useBrowser} from './browser.mjs';
import {ballOnBlock, bouncingBall} from './scenes.mjs';

const run = bouncingBall();

useBrowser();

function setTime(page, time) {
  return page.evaluate((t) => window.volcontact.setTime(t), time);
}

test(
    'bodies, trails and forces are where the run says, at any time',
    () => onPage(run.glb, async (page) => {
      await page.locator('#opacity').fill('100');
      await page.keyboard.press('1');
      const trails = [];
      for (const row of [0, 113, 400, 777, 1000]) {
        await setTime(page, run.times[row]);
        const now = await state(page);
        assert.ok(Math.abs(now.time - run.times[row]) < 1e-9);
        trails.push(now.trails[0] / (run.times.length - 1));
        const png = await picture(page);
        const at = await pixelOf(page, [run.x[row], -run.r, run.z[row]]);
        const [r, , b] = colourAt(png, {x: at.x + 3, y: at.y});
        assert.ok(b > r + 40, `the ball is at its place in row ${row}: ${colourAt(png, at)}`);
        const shown = await page.locator('#vectors .vector-value').first().textContent();
        const waited = run.force[row] ? `${run.force[row][2]} N` : '–';
        await page
            .waitForFunction(
                (text) => document.querySelector('#vectors .vector-value').textContent === text,
                waited, {timeout: 2000})
            .catch(() => assert.fail(`row ${row}: ${shown}, and ${waited} was expected`));
      }
      trails.forEach(
          (share, i) => assert.ok(
              Math.abs(share - [0, 0.113, 0.4, 0.777, 1][i]) < 0.005, `trails ${trails}`));
    }));

test(
    'slider, steps, events, speed and play',
    () => onPage(run.glb, async (page) => {
      const time = async () => (await state(page)).time;
      await page.locator('#run-slider').fill('4');
      assert.equal(await time(), 4);
      assert.match(await page.locator('#run-time').textContent(), /4\.00 s \/ 10\.00 s/);
      await page.locator('#canvas').focus();
      await page.keyboard.press('.');
      await page.keyboard.press('.');
      assert.ok(Math.abs((await time()) - 4.02) < 1e-9);
      await page.keyboard.press(',');
      assert.ok(Math.abs((await time()) - 4.01) < 1e-9);
      await page.keyboard.press('Backspace');
      assert.equal(await time(), 0);
      for (let i = 0; i < 3; i++) await page.keyboard.press('>');
      assert.ok(Math.abs((await time()) - run.events[2].time) < 1e-9, 'the third event');
      await page.keyboard.press('<');
      assert.ok(Math.abs((await time()) - run.events[1].time) < 1e-9);
      assert.equal(await page.locator('.event').count(), run.events.length);
      assert.match(await page.locator('.event').first().getAttribute('title'), /^impact, 0\.25 s$/);

      await page.keyboard.press(']');
      assert.equal((await state(page)).rate, 2);
      await page.keyboard.press('[');
      await page.keyboard.press('Backspace');
      await page.keyboard.press(' ');
      const rate = await page.evaluate(async () => {
        const sample = async () => {
          await new Promise(requestAnimationFrame);
          return [window.volcontact.state().time, performance.now() / 1000];
        };
        for (let i = 0; i < 3; i++) await sample();
        const [t, begin] = await sample();
        for (let i = 0; i < 200 && performance.now() / 1000 < begin + 1; i++) await sample();
        const [u, end] = await sample();
        return (u - t) / (end - begin);
      });
      await page.keyboard.press(' ');
      assert.ok(rate > 0.6 && rate < 1.6, `${rate} s of the run in a second`);
      const played = await time();
      assert.equal((await state(page)).playing, false);
      await drawn(page);
      assert.equal(await time(), played, 'paused');
      // At the end it stops; with the loop it does not.
      await setTime(page, 9.9);
      await page.keyboard.press(' ');
      await page.waitForFunction(() => !window.volcontact.state().playing);
      assert.equal(await time(), 10);
      await page.locator('#run-loop').check();
      await setTime(page, 9.9);
      await page.locator('#run-play').click();
      await page.waitForFunction(() => window.volcontact.state().time < 5);
      assert.equal((await state(page)).playing, true);
    }));

test(
    'plots have a line at the time, tell the values there, and set the time',
    () => onPage(run.glb, async (page) => {
      await page.setViewportSize({width: 1500, height: 900});
      assert.equal(await page.locator('.plot').count(), 3);
      await setTime(page, 2.5);
      await page.waitForTimeout(250);
      const place = () => page.evaluate(() => {
        const over = document.querySelector('.plot .u-over').getBoundingClientRect();
        const line = document.querySelector('.plot-time').getBoundingClientRect();
        return {
          share: (line.left - over.left) / over.width,
          over: {x: over.left, y: over.top, width: over.width, height: over.height}
        };
      });
      const {share, over} = await place();
      assert.ok(Math.abs(share - 0.25) < 0.01, `the line is at ${share}`);
      const texts = await page.locator('.plot').first().locator('.curve-value').allTextContents();
      assert.equal(texts[0], `−${(1000 * -run.x[250]).toPrecision(3)} mm`.replace('.00', ''));
      await page.mouse.move(over.x + 0.6 * over.width, over.y + 20);
      await page.mouse.down();
      assert.ok(Math.abs((await state(page)).time - 6) < 0.05);
      await page.mouse.move(over.x + 0.8 * over.width, over.y + 20);
      await page.mouse.up();
      assert.ok(Math.abs((await state(page)).time - 8) < 0.05);
      assert.ok(Math.abs((await place()).share - 0.8) < 0.01);
      // The curves are drawn: pixels of their colour.
      const png = await picture(page);
      let coloured = 0;
      for (let y = over.y; y < over.y + over.height; y++) {
        for (let x = over.x; x < over.x + over.width; x++) {
          const [r, , b] = colourAt(png, {x, y});
          if (r - b > 80) coloured += 1;
        }
      }
      assert.ok(coloured > 300, `${coloured} pixels of the second curve`);
    }));

test(
    'plots tell the values under the pointer, and those of the time again when it leaves',
    () => onPage(run.glb, async (page) => {
      await page.setViewportSize({width: 1500, height: 900});
      await setTime(page, 2.5);
      await page.waitForTimeout(250);
      const over = await page.locator('.plot .u-over').first().boundingBox();
      const values = () => page.locator('.plot').first().locator('.curve-value').allTextContents();
      const atTime = await values();
      await page.mouse.move(over.x + 0.8 * over.width, over.y + 20);
      const [x] = await values();
      const wanted = 1000 * run.x[800];
      assert.ok(Math.abs(Number(x.replace('−', '-').replace(' mm', '')) - wanted) < 2, x);
      assert.match(
          await page.locator('.plot-pointer').first().innerText(), /^(7\.9\d*|8(\.0\d*)?) s$/);
      for (const line of await page.locator('.plot-pointer').all())
        assert.ok(await line.isVisible(), 'all plots show the same time');
      assert.equal((await state(page)).time, 2.5, 'the run stays where it was');
      await page.mouse.move(over.x, over.y - 300);
      assert.deepEqual(await values(), atTime);
      assert.equal(await page.locator('.plot-pointer').first().isVisible(), false);
    }));

for (const viewport of [{width: 1280, height: 800}, {width: 390, height: 844}]) {
  test(
      `a ground that is no wider than the motion is in the picture at ${viewport.width} px`,
      () => onPage(run.glb, async (page) => {
        const canvas = await page.locator('#canvas').boundingBox();
        for (const x of [-0.45, 0.45]) {
          for (const y of [-0.2, 0.2]) {
            for (const z of [-0.04, 0]) {
              const at = await pixelOf(page, [x, y, z]);
              assert.ok(
                  at.x > canvas.x && at.x < canvas.x + canvas.width && at.y > canvas.y &&
                      at.y < canvas.y + canvas.height,
                  `(${x}, ${y}, ${z}) is at ${JSON.stringify(at)}`);
            }
          }
        }
      }, {viewport}));
}

test('a short run is played slowly at first', () => {
  const short = bouncingBall({seconds: 1});
  const scaled = structuredClone(short.data);
  scaled.run.times = scaled.run.times.map((t) => t / 100);
  scaled.run.events = [];
  return onPage(bouncingBallWith(short, scaled), async (page) => {
    const {rate} = await state(page);
    assert.ok(rate >= 0.002 && rate <= 0.01, `${rate}`);
    assert.match(await page.locator('#run-time').textContent(), /ms$/);
  });
});

/** The same file with other scene data. */
function bouncingBallWith(scene, data) {
  const length = scene.glb.readUInt32LE(12);
  const json = JSON.parse(scene.glb.subarray(20, 20 + length).toString());
  json.scenes[0].extras.volcontact = data;
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const file = Buffer.concat([scene.glb.subarray(0, 20), padded, scene.glb.subarray(20 + length)]);
  file.writeUInt32LE(file.length, 8);
  file.writeUInt32LE(padded.length, 12);
  return file;
}

test(
    'a run plays with little work for each frame',
    (t) => onPage(bouncingBall({rings: 64}).glb, async (page) => {
      const result = await page.evaluate(async () => {
        document.getElementById('run-play').click();
        const first = window.volcontact.state().frames;
        const begin = performance.now();
        const costs = [];
        while (performance.now() - begin < 2000) {
          await new Promise(requestAnimationFrame);
          const {updateMs, drawMs} = window.volcontact.state();
          costs.push([updateMs, drawMs]);
        }
        const seconds = (performance.now() - begin) / 1000;
        const mean = (k) => costs.reduce((sum, cost) => sum + cost[k], 0) / costs.length;
        return {
          rate: (window.volcontact.state().frames - first) / seconds,
          update: mean(0),
          draw: mean(1)
        };
      });
      t.diagnostic(
          `${result.rate.toFixed(0)} frames/s by software; script ${
              result.update.toFixed(2)} ms a frame beside ` +
          `${result.draw.toFixed(2)} ms for the calls that draw`);
      // The graphics card does the rest. A frame at 60 a second has 16 ms; there is room for a
      // machine that does more than this.
      assert.ok(result.update < 8, `${result.update} ms of script a frame`);
    }));

test(
    '100 000 triangles are soon there',
    (t) => onPage(ballOnBlock({rings: 152}).glb, async (page) => {
      const {triangles, time, built} = await page.evaluate(() => {
        const pixel = new Uint8Array(4);
        const gl = document.getElementById('canvas').getContext('webgl2');
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);  // waits for what was drawn
        const [built] = performance.getEntriesByName('built');
        return {
          triangles: window.volcontact.state().triangles,
          time: performance.now(),
          built: built.startTime
        };
      });
      t.diagnostic(`${triangles} triangles: script done after ${
          built.toFixed(0)} ms, picture after ${time.toFixed(0)} ms, drawn by software`);
      assert.ok(triangles > 1e5);
      // The page's own part; how long the picture takes by software says little of a graphics card,
      // and all of the machine's load.
      assert.ok(built < 4000, `${built} ms`);
    }));

test('a run of one time is a picture as it was then, without a player', async () => {
  const contacts = [{name: 'ball on block', force: [[0, 0, 7]]}];
  const plots = [{title: 'Height', unit: 'm', curves: [{name: 'z', values: [1]}]}];
  const {glb} = ballOnBlock({rings: 8, extras: {run: {times: [0.3], contacts, plots}}});
  await onPage(glb, async (page) => {
    assert.equal((await state(page)).error, null);
    assert.equal(await page.locator('#run').isVisible(), false);
    assert.equal(await page.locator('.plot').count(), 0);
    assert.match(await page.locator('#metrics').textContent(), /Time300 ms/);
    assert.match(await page.locator('#vectors').textContent(), /Force on the ball7 N/);
    for (const key of [' ', '.', 'End', 'g']) await page.keyboard.press(key);
    assert.equal((await state(page)).time, 0.3);
  });
});
