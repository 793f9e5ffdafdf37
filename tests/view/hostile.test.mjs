// Files that mean harm or are broken: no script of theirs runs, nothing is asked for, and the page
// says what is wrong.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {browser, folder, launch, open, state, useBrowser} from './browser.mjs';
import {ballOnBlock, bouncingBall} from './scenes.mjs';

const EVIL =
    '</script><img src=x onerror="window.hit=1"><script>window.hit=1</script>"\'`${1}\u0000\u2028';


useBrowser();

/** A run with a number of the first motion's values replaced. */
function withMotionOf(number) {
  const glb = Buffer.from(bouncingBall({seconds: 1, rings: 8}).glb);
  const start = 20 + glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, start).toString());
  const {bufferView} = json.accessors[json.animations[0].samplers[0].output];
  glb.writeFloatLE(number, start + 8 + (json.bufferViews[bufferView].byteOffset ?? 0) + 4 * 4);
  return glb;
}

test('names are texts, whatever they hold', async () => {
  const contact = ballOnBlock({
    labels: {a: EVIL, b: `${EVIL}b`, title: EVIL, force: EVIL},
    extras: {
      metrics:
          {[EVIL]: EVIL, volume: EVIL, nested: {[EVIL]: [EVIL, {[EVIL]: 1}]}, __proto__: {x: 1}},
      legend: {quantity: EVIL, unit: EVIL, min: 0, max: 1}
    },
  });
  const run =
      bouncingBall({seconds: 3, names: {ball: EVIL, table: 'constructor', contact: '__proto__'}});
  for (const {glb} of [contact, run]) {
    const url = folder.page(glb);
    const {page, problems, requests, close} = await open(browser, url);
    assert.equal((await state(page)).error, null);
    for (const button of await page.locator('#vectors button').all()) await button.focus();
    const found = await page.evaluate(() => ({
                                        hit: window.hit,
                                        images: document.querySelectorAll('img').length,
                                        scripts: document.querySelectorAll('script').length,
                                        text: document.body.innerText,
                                      }));
    assert.equal(found.hit, undefined);
    assert.equal(found.images, 0);
    assert.equal(found.scripts, 1);
    assert.ok(
        found.text.includes('<img src=x onerror="window.hit=1">'), 'the name is shown as it is');
    assert.deepEqual(problems, []);
    assert.deepEqual(requests, [url]);
    await close();
  }
});

test(
    'the policy lets no other script run, nothing be asked for, and no text become markup',
    async () => {
      const {page, close} = await open(browser, folder.page(ballOnBlock().glb));
      const result = await page.evaluate(async () => {
        const violations = [];
        document.addEventListener(
            'securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
        const refused = (action) => {
          try {
            action();
            return false;
          } catch {
            return true;
          }
        };
        const markup = refused(() => {
          document.createElement('div').innerHTML = '<b>x</b>';
        });
        // What the test itself runs may make code of texts; what runs later may not.
        const code = await new Promise(
            (resolve) => setTimeout(() => resolve(refused(() => Function('window.hit = 1')()))));
        const inline = refused(() => {
          const script = document.createElement('script');
          script.textContent = 'window.hit = 1';
          document.body.append(script);
        });
        const fetched = await fetch('https://example.org/').then(() => false, () => true);
        const image = new Image();
        const loaded = new Promise((resolve) => {
          image.onerror = () => resolve(false);
          image.onload = () => resolve(true);
        });
        image.src = 'https://example.org/x.png';
        return {markup, code, inline, fetched, loaded: await loaded, hit: window.hit, violations};
      });
      assert.equal(result.markup, true);
      assert.equal(result.code, true);
      assert.equal(result.inline, true);
      assert.equal(result.fetched, true);
      assert.equal(result.loaded, false);
      assert.equal(result.hit, undefined);
      for (const directive of ['connect-src', 'img-src'])
        assert.ok(result.violations.includes(directive), String(result.violations));
      await close();
    });

/** The first accessor of three floats, its first number replaced. */
function spoilPoint(glb) {
  const length = glb.readUInt32LE(12);
  const copy = Buffer.from(glb);
  copy.writeFloatLE(Number.NaN, 20 + length + 8);
  return copy;
}

test('what is missing or damaged is said in the page, and nothing is thrown', async () => {
  const small = (options) => ballOnBlock({rings: 4, ...options}).glb;
  const changed = (change) => small({
    change: (json) => {
      change(json);
      return json;
    }
  });
  const whole = small();
  const many = Array.from({length: 300000}, (_, i) => ({name: String(i)}));
  const cases = [
    [withMotionOf(Number.NaN), /value 4 of the motion Ball\.position is not finite/],
    [small({extras: {run: {times: []}}}), /run\.times must be a list of one time at least/],
    [null, /holds no scene: it is the empty viewer/],
    ['***', /not base64/],
    ['', /is empty/],
    [whole.subarray(0, whole.length >> 1), /header says/],
    [spoilPoint(whole), /position 0 of .* is not finite/],
    [
      changed((json) => {
        json.nodes[0].children.push(0);
      }),
      /own ancestor|two parents/
    ],
    [
      changed((json) => {
        json.accessors[0].count = 4e9;
      }),
      /damaged/
    ],
    [
      changed((json) => {
        json.accessors[0].bufferView = 7e5;
      }),
      /damaged/
    ],
    [
      changed((json) => {
        json.bufferViews[0].byteOffset = -8;
      }),
      /damaged/
    ],
    [
      changed((json) => {
        json.meshes[0].primitives = 5;
      }),
      /damaged/
    ],
    [
      changed((json) => {
        json.nodes[1].mesh = 'x';
      }),
      /./
    ],
    [
      changed((json) => {
        delete json.scenes[0].extras;
      }),
      /not written by volcontact/
    ],
    [
      changed((json) => {
        json.nodes[1].extras.volcontact.kind = {};
      }),
      /kind must be a text/
    ],
    [
      changed((json) => {
        json.nodes = json.nodes.slice(0, 1);
        delete json.nodes[0].children;
      }),
      /nothing to draw/
    ],
    [small({extras: {run: {times: [0, 1], contacts: many}}}), /contacts must be a list of at most/],
    [
      small({extras: {legend: {quantity: 'pressure', unit: 'Pa', min: 3, max: 'x'}}}),
      /legend\.max must be a finite number/
    ],
    [
      small({extras: {inset: {origin: [0, 0, 0], axis: [0, 0, 0], factor: 2, radius: 1}}}),
      /inset\.axis must be a direction/
    ],
  ];
  for (const [scene, message] of cases) {
    const url = folder.page(scene);
    const {page, problems, requests} = await open(browser, url);
    const {error} = await state(page);
    assert.match(error ?? 'no error', message);
    const shown = page.locator('#error');
    assert.equal(await shown.isVisible(), true, error);
    assert.equal(await shown.locator('p').textContent(), error);
    assert.deepEqual(problems.filter((text) => !text.startsWith('THREE.')), [], error);
    assert.deepEqual(requests, [url]);
  }
});

test('without WebGL there is a message, and still the numbers and plots', async () => {
  const plain = await launch({webgl: false});
  try {
    const contact = await open(plain, folder.page(ballOnBlock().glb));
    assert.match((await state(contact.page)).error, /no WebGL 2.*hardware acceleration/);
    assert.match(await contact.page.locator('#metrics').innerText(), /Contact area/);
    const run = await open(plain, folder.page(bouncingBall({seconds: 3}).glb));
    assert.equal(await run.page.locator('#error').isVisible(), true);
    assert.equal(await run.page.locator('.plot').count(), 3);
    assert.deepEqual(
        [...contact.problems, ...run.problems].filter((text) => /pageerror|Uncaught/.test(text)),
        []);
  } finally {
    await plain.close();
  }
});
