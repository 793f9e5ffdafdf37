// Pages as `volcontact view` writes them, where the release build has it (VOLCONTACT names another
// tool).

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {assertColour, colourAt, drawn, folder, picture, pixelOf, ROOT, state, useBrowser, visit} from './browser.mjs';

const TOOL = process.env.VOLCONTACT ?? join(ROOT, 'build/release/tools/volcontact/volcontact');
const TEMPLATE = join(ROOT, 'tools/view/bundle.html');

function canView() {
  if (!existsSync(TOOL)) return false;
  try {
    execFileSync(TOOL, ['view', '--help'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}
const skip = canView() ? false : `no ${TOOL} with view`;

if (!skip) useBrowser();

function run(...options) {
  execFileSync(TOOL, options, {cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe']});
}

function onPage(name, check) {
  return visit(pathToFileURL(join(folder.path, name)).href, async (page) => {
    assert.equal((await state(page)).error, null);
    await check(page);
  });
}

test(
    'a ball 2 mm deep in the ground: pressures, colours and numbers, from a file with an evil name',
    {skip}, async () => {
      const evil = '<img src=x onerror="window.hit=1">.json';
      writeFileSync(join(folder.path, evil), '{"sphere": {"radius": 0.1}}');
      writeFileSync(join(folder.path, 'ground.json'), '{"half_space": {}}');
      const [radius, depth, stiffness] = [0.1, 0.002, 1e9];
      run('view', evil, 'ground.json', '--pose-a', `0,0,${radius - depth},1,0,0,0`, '--stiffness',
          String(stiffness), '--out', 'ball.html', '--page', TEMPLATE);
      await onPage('ball.html', async (page) => {
        assert.equal(await page.evaluate(() => window.hit), undefined);
        assert.match(await page.locator('h1').textContent(), /<img src=x onerror/);
        const volume = Math.PI * depth ** 2 * (radius - depth / 3);
        const told = /Volume([\d.]+) mm³/.exec(await page.locator('#metrics').textContent());
        assert.ok(Math.abs(Number(told[1]) * 1e-9 / volume - 1) < 1e-5, told[0]);
        for (const key of ['7', 'p', 'n', 'm', 'j', 'w', 'i', 'g']) await page.keyboard.press(key);
        const png = await picture(page);
        // The patch ends in dark violet, and in the middle it is yellow.
        assertColour(
            colourAt(png, await pixelOf(page, [0.0001, 0.0001, 0])), [253, 231, 37], 40,
            'the middle');
        const rim = Math.sqrt(depth * (2 * radius - depth));
        for (let i = 0; i < 12; i++) {
          const at = await pixelOf(page, [0.985 * rim * Math.cos(i), 0.985 * rim * Math.sin(i), 0]);
          assertColour(colourAt(png, at), [68, 1, 84], 45, 'the rim');
        }
        const at = await pixelOf(page, [0, 0, 0]);
        await page.mouse.move(at.x, at.y);
        await drawn(page);
        const pressure = /pressure\s+([\d.]+) MPa/.exec(await page.locator('#tooltip').innerText());
        assert.ok(Math.abs(Number(pressure?.[1]) / 2 - 1) < 0.05, String(pressure));
      });
    });

test('a run of simulate: motion, contacts and plots', {skip}, async () => {
  run('simulate', join(ROOT, 'data/scenarios/gliding_box.json'), '--out', 'glide', '--no-plots');
  run('view', 'glide/area_vector', '--out', 'glide.html', '--page', TEMPLATE);
  await onPage('glide.html', async (page) => {
    const {rows} = await state(page);
    assert.ok(rows > 10, `${rows} rows`);
    assert.ok((await page.locator('.plot').count()) > 0);
    const pictures = [];
    for (const share of [0, 1]) {
      await page.evaluate((s) => {
        const slider = document.getElementById('run-slider');
        window.volcontact.setTime(Number(slider.min) + s * (slider.max - slider.min));
      }, share);
      pictures.push(await picture(page));
    }
    const box = await page.locator('#canvas').boundingBox();
    let changed = 0;
    for (let y = box.y; y < box.y + box.height; y += 2) {
      for (let x = box.x; x < box.x + box.width; x += 2) {
        const [a, b] = pictures.map((png) => colourAt(png, {x, y}));
        if (Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) > 60)
          changed += 1;
      }
    }
    assert.ok(changed > 50, `${changed} samples of the picture have changed`);
  });
});
