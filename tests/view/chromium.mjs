// Debian's Chromium, driven by playwright-core.

import {createRequire} from 'node:module';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const requireModule = createRequire(join(ROOT, 'build/npm/any.js'));
const {chromium} = requireModule('playwright-core');

/** VOLCONTACT_CHROMIUM names another browser than Debian's. */
export async function launchChromium(flags) {
  const executablePath = process.env.VOLCONTACT_CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({executablePath, args: ['--no-sandbox', ...flags]});
}
