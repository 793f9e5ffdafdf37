// Bundles the viewer page: style and script inline, and a policy that lets nothing else run and
// nothing be loaded.
//   node tools/view/bundle.mjs FOLDER_OF_NODE_MODULES OUT.html

import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const [modules, out] = process.argv.slice(2);
const folder = dirname(fileURLToPath(import.meta.url));
const {build} = createRequire(join(resolve(modules), 'any.js'))('esbuild');

/** The licences of what the page contains, which ask to stand in every copy. */
const licences =
    ['three', 'uplot']
        .map(
            (name) =>
                `/*! ${name}\n${readFileSync(join(modules, name, 'LICENSE'), 'utf8').trim()}\n*/`)
        .join('\n');

const result = await build({
  entryPoints: [join(folder, 'src/main.js')],
  outdir: 'out',
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  banner: {js: licences},
  nodePaths: [resolve(modules)],
});

function output(extension) {
  return result.outputFiles.find((file) => file.path.endsWith(extension)).text.trim();
}

const script = output('.js');
const style = output('.css');
for (const [name, text, ends] of [
         ['script', script, /<\/script|<!--/i], ['style', style, /<\/style/i]]) {
  if (ends.test(text))
    throw new Error(`the bundled ${name} holds markup that would end it in a page`);
}

function hash(text) {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

// Only this script and this style, by their hashes; no request, no frame, no form, no eval, and no
// markup from texts.
const policy = [
  'default-src \'none\'',
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  'img-src data:',
  'base-uri \'none\'',
  'form-action \'none\'',
  'require-trusted-types-for \'script\'',
  'trusted-types \'none\'',
].join('; ');

const parts = {
  POLICY: policy,
  STYLE: style,
  SCRIPT: script
};
const page = readFileSync(join(folder, 'page.html'), 'utf8')
                 .replace(/@(POLICY|STYLE|SCRIPT)@/g, (_, name) => parts[name]);
if (page.split('<!--VOLCONTACT-SCENE-->').length !== 2)
  throw new Error('the page needs one place for the scene');
writeFileSync(out, page);
console.log(`${out}: ${(page.length / 1e6).toFixed(2)} MB`);
