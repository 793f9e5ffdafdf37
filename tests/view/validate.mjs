// The official glTF-Validator on files: node validate.mjs PACKAGE FILE...
// Prints what it says and fails unless that is nothing, hints and remarks included.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(import.meta.url)(folder);
let found = 0;
for (const file of files) {
  const {issues} = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  for (const {severity, code, message, pointer} of issues.messages) {
    found += 1;
    console.log(`${file}: ${severity} ${code} ${message} ${pointer}`);
  }
}
process.exit(found > 0 ? 1 : 0);
