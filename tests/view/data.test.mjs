// What the page takes on trust and what not: the container and the extras, without a browser.

import assert from 'node:assert/strict';
import test from 'node:test';

import {SceneError} from '../../tools/view/src/errors.js';
import {checkGlb, decodeScene} from '../../tools/view/src/glb.js';
import {readNodeData, readSceneData} from '../../tools/view/src/scene_data.js';

import {ballOnBlock, bouncingBall} from './scenes.mjs';

function bufferOf(glb) {
  return glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length);
}

function refuses(action, message) {
  assert.throws(action, (error) => {
    assert.ok(error instanceof SceneError, String(error));
    assert.match(error.message, message);
    assert.ok(error.message.length < 400, 'one readable message');
    return true;
  });
}

/** Every place in a value: paths to all leaves and branches. */
function* places(value, path = []) {
  if (path.length) yield path;
  if (typeof value !== 'object' || value === null) return;
  const keys = Array.isArray(value) ? [0] : Object.keys(value);
  for (const key of keys)
    if (value[key] !== undefined) yield* places(value[key], [...path, key]);
}

function replaced(value, path, by) {
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  parent[path.at(-1)] = by;
  return copy;
}

test('sound scenes are read as they are', () => {
  const contact = readSceneData(ballOnBlock().data);
  assert.equal(contact.legend.max, 1.2e7);
  assert.equal(contact.run, null);
  const run = readSceneData(bouncingBall({seconds: 3}).data);
  assert.equal(run.run.times.length, 301);
  assert.equal(readSceneData({version: 1}).title, 'Contact');
  assert.equal(readNodeData({kind: 'arrow', quantity: 'torque', unit: 'N m'}, 'node').unit, 'N·m');
  assert.equal(
      readNodeData({kind: 'arrow', quantity: 'area_vector', unit: 'm^2'}, 'node').unit, 'm²');
});

test('anything of a wrong type anywhere is a readable error, or is passed over as data', () => {
  const thin = ballOnBlock({depth: 1e-4}).data;
  const whole = {...bouncingBall({seconds: 3}).data, legend: thin.legend, inset: thin.inset};
  const wrong = [
    null, 'text', -1, 1e308, Number.NaN, true, [], {}, [[]], ['x'], {length: 3}, 'x'.repeat(5000)
  ];
  let refused = 0;
  for (const path of places(whole)) {
    if (path[0] === 'metrics') continue;  // shown as it is, whatever it is
    for (const value of wrong) {
      try {
        readSceneData(replaced(whole, path, value));
      } catch (error) {
        assert.ok(
            error instanceof SceneError,
            `${path.join('.')} = ${JSON.stringify(value)}: ${error.stack}`);
        refused += 1;
      }
    }
  }
  assert.ok(refused > 250, `${refused} were refused`);
});

test('errors name the place, what is wanted and what is there', () => {
  const {data} = bouncingBall({seconds: 3});
  refuses(
      () => readSceneData(replaced(data, ['run', 'times', 5], 'late')),
      /run\.times\[5\] must be a finite number, and is a text/);
  refuses(
      () => readSceneData(replaced(data, ['run', 'plots', 0, 'curves', 0, 'values'], [1])),
      /curves\[0\]\.values must be a list of 301/);
  refuses(
      () => readSceneData(replaced(data, ['run', 'times', 5], 0)), /no less than the time before/);
  refuses(
      () => readSceneData(
          replaced(data, ['run', 'events'], new Array(20000).fill({time: 0, name: ''}))),
      /at most 10000/);
  refuses(() => readSceneData({...data, version: 2}), /version 2.*reads version 1/);
  refuses(() => readSceneData(undefined), /not written by volcontact/);
  refuses(() => readNodeData({kind: 7}, 'node "x"'), /node "x"\.kind must be a text/);
});

test('damaged containers', () => {
  const {glb} = ballOnBlock({rings: 4});
  const spoiled = (change) => () => checkGlb(bufferOf(ballOnBlock({rings: 4, change}).glb));
  assert.doesNotThrow(() => checkGlb(bufferOf(glb)));
  refuses(() => decodeScene('%%%'), /not base64/);
  refuses(() => decodeScene('  '), /empty/);
  refuses(() => checkGlb(new ArrayBuffer(4)), /no binary glTF/);
  refuses(
      () => checkGlb(bufferOf(Buffer.from('A text that is long enough to be looked at.'))),
      /no binary glTF/);
  refuses(() => checkGlb(bufferOf(glb.subarray(0, glb.length - 8))), /header says/);
  refuses(
      spoiled((json) => JSON.stringify(json).replace('"version":1', '"version":NaN')),
      /JSON cannot be read/);
  refuses(spoiled(() => '[]'), /no scene/);
  refuses(spoiled((json) => ({...json, scenes: 7})), /scenes are no list/);
  refuses(
      spoiled((json) => {
        json.nodes[1].children = [0];
        return json;
      }),
      /own ancestor|two parents/);
  refuses(
      spoiled((json) => {
        json.nodes[1].children = [2];
        return json;
      }),
      /two parents/);
  refuses(
      spoiled((json) => {
        json.nodes[1].children = [999];
        return json;
      }),
      /not there/);
  refuses(
      spoiled((json) => {
        json.buffers[0].uri = 'https://example.org/x';
        return json;
      }),
      /from elsewhere/);
  refuses(
      spoiled((json) => {
        json.images = [{uri: 'https://example.org/x.png'}];
        return json;
      }),
      /pictures/);
  refuses(
      spoiled((json) => {
        json.extensionsRequired = ['KHR_draco_mesh_compression'];
        return json;
      }),
      /extension KHR_draco/);
});
