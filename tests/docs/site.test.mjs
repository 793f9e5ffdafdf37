// The documentation site in Chromium, from a server of folders as any is: every page loads without
// a complaint and shows its mathematics; search, theme and menus do what they are for.

import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {launchChromium, ROOT} from '../view/chromium.mjs';

const SITE = join(ROOT, 'build/site/html');
// Pages with motion are those of `volcontact view`, which have tests of their own.
const PAGES = readdirSync(SITE, {recursive: true})
                  .filter((name) => name.endsWith('.html') && !name.startsWith('motion/'))
                  .sort();
const WIDE = {
  width: 1280,
  height: 900
};
const NARROW = {
  width: 390,
  height: 844
};
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

let server;
let origin;
let browser;
let page;
const problems = [];

function answer(request, response) {
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://site').pathname));
  if (path === '/favicon.ico') {
    response.writeHead(204).end();  // which browsers ask for unasked
    return;
  }
  try {
    const body = readFileSync(join(SITE, path));
    response.writeHead(200, {'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream'});
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}

before(async () => {
  server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}/`;
  browser = await launchChromium(['--disable-gpu']);
  page = await browser.newPage({viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce'});
  page.setDefaultTimeout(20000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => problems.push(`no answer: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
});
after(async () => {
  await browser.close();
  server.close();
});

/** Opens a page of the site and waits until its mathematics and diagrams are drawn. */
async function show(name, {size = WIDE, base = origin} = {}) {
  problems.length = 0;
  await page.setViewportSize(size);
  await page.goto(base + name);
  await page.evaluate(() => window.MathJax?.startup.promise);
  await page.waitForFunction(
      () => [...document.querySelectorAll('pre.mermaid')].every(
          (node) => node.querySelector('svg')));
}

/** What a reader would see of a page that is wrong, as lists of texts. */
function faults() {
  const shown = (node) => node.getBoundingClientRect().width > 0;
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.parentElement.closest('code, pre, script, style, mjx-container'))
      texts.push(text.data);
  }
  return {
    // Dollars and TeX stand in code only: elsewhere they are a formula that was not seen as one.
    raw: texts.filter((text) => /\$|\\[a-zA-Z()[\]{}]/.test(text)),
    undrawn: [...document.querySelectorAll('.math')]
                 .filter((node) => !node.querySelector('mjx-container svg') || !shown(node))
                 .map((node) => node.textContent),
    wrong: [...document.querySelectorAll('[data-mml-node=merror]')].map((node) => node.textContent),
    pictures: [...document.images]
                  .filter((image) => image.complete && image.naturalWidth === 0)
                  .map((image) => image.src),
  };
}

test(
    'every page loads without an error or a failed request, has no TeX left, and fits a narrow screen',
    async () => {
      let formulae = 0;
      for (const name of PAGES) {
        await show(name);
        assert.deepEqual(
            await page.evaluate(faults), {raw: [], undrawn: [], wrong: [], pictures: []}, name);
        assert.deepEqual(problems, [], name);
        formulae += await page.locator('mjx-container').count();
        await page.setViewportSize(NARROW);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(
            width <= NARROW.width,
            `${name} is ${width} pixels wide on a screen of ${NARROW.width}`);
      }
      assert.ok(PAGES.length > 40 && formulae > 500, `${PAGES.length} pages, ${formulae} formulae`);
    });

test('links within the site lead to pages and headings that are there', async () => {
  const read = new Map();
  const text = (name) => {
    if (!read.has(name)) read.set(name, readFileSync(join(SITE, name), 'utf8'));
    return read.get(name);
  };
  const lost = [];
  for (const name of PAGES) {
    for (const [, href] of text(name).matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `http://site/${name}`);
      if (url.host !== 'site') continue;
      const target = decodeURIComponent(url.pathname).slice(1);
      const anchor = decodeURIComponent(url.hash).slice(1);
      try {
        if (anchor && !text(target).includes(`id="${anchor}"`)) lost.push(`${name}: ${href}`);
        if (!anchor) text(target);
      } catch {
        lost.push(`${name}: ${href}`);
      }
    }
  }
  assert.deepEqual(lost, []);
});

test('it works as files, too', async () => {
  for (const name of ['index.html', 'theory.html', 'architecture.html', 'gallery.html']) {
    await show(name, {base: `${pathToFileURL(SITE).href}/`});
    assert.deepEqual(problems, [], name);
  }
});

test('the sizes of formulae are those of the text, in lines and by themselves', async () => {
  await show('theory.html');
  const {inline, block} = await page.evaluate(() => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const heights = (selector) => [...document.querySelectorAll(selector)].map(
        (node) => node.getBoundingClientRect().height / rem);
    return {inline: heights('span.math mjx-container'), block: heights('div.math mjx-container')};
  });
  assert.ok(inline.every((height) => height > 0.3 && height < 3), `${Math.max(...inline)}`);
  assert.ok(block.every((height) => height > 0.8 && height < 12), `${Math.max(...block)}`);
});

test('pages are dark where the reader or the system wants it, formulae with them', async () => {
  const look = () => page.evaluate(() => {
    const brightness = (colour) =>
        colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, v) => sum + +v, 0);
    const formula = document.querySelector('mjx-container');
    return {
      back: brightness(getComputedStyle(document.body).backgroundColor),
      text: brightness(getComputedStyle(formula.querySelector('g')).fill),
    };
  });
  await show('theory.html');
  const light = await look();
  assert.ok(light.back > 700 && light.text < 100, JSON.stringify(light));
  await page.locator('.content-icon-container .theme-toggle').click();
  await show('theory.html#sources');
  const dark = await look();
  assert.ok(dark.back < 120 && dark.text > 500, JSON.stringify(dark));
  await page.evaluate(() => localStorage.clear());
  await page.emulateMedia({colorScheme: 'dark'});
  await show('theory.html');
  assert.deepEqual(await look(), dark, 'where the system is dark');
  await page.emulateMedia({colorScheme: 'light'});
});

// Of a search for half-spaces.
async function seeExcerpts() {
  await page.waitForFunction(
      () => document.querySelectorAll('#search-results li p.context').length > 3);
  const excerpts = await page.locator('#search-results li p.context').allTextContents();
  assert.ok(excerpts.some((text) => /half-space/i.test(text)), excerpts[0]);
  await page.waitForLoadState('networkidle');
  assert.deepEqual(problems, []);
}

test('search finds pages and shows what stands there', async () => {
  await show('index.html');
  await page.locator('.sidebar-search').fill('half-space');
  await page.keyboard.press('Enter');
  await seeExcerpts();
  await page.locator('#search-results li a').first().click();
  await page.waitForLoadState();
  assert.ok(!page.url().includes('search.html'), page.url());
});

test('search shows what stands there of a site that is opened as files, too', async () => {
  await show('search.html?q=half-space', {base: `${pathToFileURL(SITE).href}/`});
  await seeExcerpts();
});

test('code is copied as it stands, what commands print has no button', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await show('index.html');
  const block = page.locator('div.highlight-python').first();
  await block.hover();
  await block.locator('button.copybtn').click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied.trim(), (await block.locator('pre').innerText()).trim());
  await show('contact.html');
  assert.ok(await page.locator('div.highlight-text').count() > 0);
  assert.equal(await page.locator('div.highlight-text button.copybtn').count(), 0);
});

test('the start page begins with a picture, how to install it, and code', async () => {
  for (const size of [WIDE, NARROW]) {
    await show('index.html', {size});
    const seen = await page.evaluate(() => {
      const top = (selector) => document.querySelector(selector)?.getBoundingClientRect().top;
      return [top('article img'), top('#install pre'), top('#first-lines pre')];
    });
    assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
    assert.ok(seen[0] < size.height && seen[2] < 3 * size.height, JSON.stringify(seen));
  }
});

test('contents follow the reader', async () => {
  await show('cli.html', {size: {width: 1500, height: 900}});
  for (const at of [1, 4]) {
    const heading = await page.locator('section h2').evaluateAll((nodes, i) => {
      nodes.at(i).scrollIntoView();
      return nodes.at(i).parentElement.id;
    }, at);
    await page.waitForSelector(`.toc-tree .scroll-current > a[href="#${heading}"]`);
  }
});

test('menus open on a narrow screen', async () => {
  await show('theory.html', {size: NARROW});
  const isSeen = async (selector) => {
    const {x, width} = await page.locator(selector).boundingBox();
    return x > -10 && x + width < 400;
  };
  for (const [button, drawer] of [
           ['.nav-overlay-icon', '.sidebar-drawer'], ['.toc-header-icon', '.toc-drawer']]) {
    assert.equal(await isSeen(drawer), false, drawer);
    await page.locator(`header ${button}`).first().click();
    await page.waitForFunction((selector) => {
      const {x, right} = document.querySelector(selector).getBoundingClientRect();
      return x > -10 && right < 400;
    }, drawer);
    await page.mouse.click(drawer === '.toc-drawer' ? 5 : 385, 700);
    await page.waitForFunction((selector) => {
      const {x, right} = document.querySelector(selector).getBoundingClientRect();
      return right < 10 || x > 380;
    }, drawer);
  }
});

test('a page with motion is there while it is open in the gallery', async () => {
  await show('gallery.html');
  const frames = page.locator('details.motion iframe');
  if (await frames.count() === 0) return;  // built without the tool
  assert.equal(page.frames().filter((frame) => frame.url().includes('motion/')).length, 0);
  const isLoaded = () => page.frames().some((frame) => frame.url().includes('motion/'));
  await page.locator('details.motion summary').first().click();
  for (let i = 0; i < 100 && !isLoaded(); i++) await page.waitForTimeout(20);
  assert.ok(isLoaded());
  await page.locator('details.motion summary').first().click();
  for (let i = 0; i < 100 && isLoaded(); i++) await page.waitForTimeout(20);
  assert.ok(!isLoaded());
});
