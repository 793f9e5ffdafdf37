// Pages with scenes in Chromium, and pictures of them.

import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before} from 'node:test';
import {pathToFileURL} from 'node:url';

import {launchChromium, requireModule, ROOT} from './chromium.mjs';
import {pageWith} from './scenes.mjs';

const {PNG} = requireModule('pngjs');

export {ROOT};
export const TEMPLATE = readFileSync(join(ROOT, 'tools/view/bundle.html'), 'utf8');
// No graphics card is needed: WebGL by software.
const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
const NO_WEBGL = ['--disable-gpu', '--disable-3d-apis'];

export async function launch({webgl = true} = {}) {
  return launchChromium(webgl ? WEBGL : NO_WEBGL);
}

/** A folder of pages that goes with the tests. */
class Folder {
  constructor() {
    this.path = mkdtempSync(join(tmpdir(), 'volcontact-view-'));
    this.count = 0;
  }

  /** Writes a page with this scene (a GLB, base64 text, or null for none); returns its address. */
  page(scene) {
    this.count += 1;
    const file = join(this.path, `page${this.count}.html`);
    writeFileSync(file, scene === null ? TEMPLATE : pageWith(TEMPLATE, scene));
    return pathToFileURL(file).href;
  }

  remove() {
    rmSync(this.path, {recursive: true, force: true});
  }
}

const tabs = new Map();  // browser → its tab with the usual options

/** A new tab that keeps what its pages say and ask for. */
async function newTab(browser, options) {
  const context = await browser.newContext({
    viewport: {width: 900, height: 600},
    reducedMotion: 'reduce',
    colorScheme: 'light',
    ...options,
  });
  const page = await context.newPage();
  const problems = [];
  const requests = [];
  page.on(
      'console',
      (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  return {page, problems, requests, close: () => context.close()};
}

/**
 * Opens a page: {page, problems, requests, close}. With the usual options all pages are shown in
 * one tab, one after the other: a new one takes longer than all else in a test.
 * @param {object} options of the browser's context
 */
export async function open(browser, url, options = null) {
  if (!options && !tabs.has(browser)) tabs.set(browser, await newTab(browser, {}));
  const tab = options ? await newTab(browser, options) : tabs.get(browser);
  tab.problems.length = 0;
  tab.requests.length = 0;
  await tab.page.setViewportSize({width: 900, height: 600, ...options?.viewport});
  await tab.page.mouse.move(0, 0);
  await tab.page.goto(url);
  await tab.page.evaluate(() => window.volcontact.ready);
  return {...tab, close: async () => options && tab.close()};
}

export let browser, folder;  // of the file of tests that has called useBrowser

/**
 * Starts a browser, with a folder of pages, before the first test of a file, and ends both after
 * the last.
 */
export function useBrowser() {
  before(async () => {
    browser = await launch();
    folder = new Folder();
  });
  after(async () => {
    await browser.close();
    folder.remove();
  });
}

/**
 * Runs `check` on the page at an address, which must neither complain nor ask for anything but
 * itself.
 */
export async function visit(url, check, options) {
  const view = await open(browser, url, options);
  try {
    await check(view.page, view);
    assert.deepEqual(view.problems, []);
    assert.deepEqual(view.requests, [url]);
  } finally {
    await view.close();
  }
}

/** The same for a new page with this scene. */
export function onPage(scene, check, options) {
  return visit(folder.page(scene), check, options);
}

export function state(page) {
  return page.evaluate(() => window.volcontact.state());
}

/** Waits until what was asked for has been drawn. */
export async function drawn(page) {
  await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** A point of the world [m] in the page's CSS pixels. */
export async function pixelOf(page, point) {
  return page.evaluate((p) => {
    const box = document.getElementById('canvas').getBoundingClientRect();
    const {x, y} = window.volcontact.project(p);
    return {x: x + box.left, y: y + box.top};
  }, point);
}

/** The picture of the page. */
export async function picture(page) {
  await drawn(page);
  return PNG.sync.read(await page.screenshot());
}

export function colourAt(png, {x, y}) {
  const i = 4 * (Math.round(y) * png.width + Math.round(x));
  return [...png.data.subarray(i, i + 3)];
}

/** How many pixels of two pictures of the page differ clearly, left of its panel. */
export function changedPixels(before, after) {
  let changed = 0;
  for (let i = 0; i < before.data.length; i += 4) {
    const off = [0, 1, 2].map((k) => Math.abs(before.data[i + k] - after.data[i + k]));
    if ((i / 4) % before.width < 0.65 * before.width && Math.max(...off) > 25) changed += 1;
  }
  return changed;
}

export function assertColour(found, wanted, tolerance, what) {
  const off = Math.max(...found.map((v, k) => Math.abs(v - wanted[k])));
  assert.ok(
      off <= tolerance, `${what}: colour ${found}, and ${wanted} within ${tolerance} was expected`);
}
