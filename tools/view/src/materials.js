// How things are shaded: translucent bodies whose rims are denser (as glass), the overlap, the patch in the legend's
// own colours, lines and arrows.

import {
  BackSide, Color, DataTexture, DoubleSide, FrontSide, LinearFilter, MeshPhongMaterial, ShaderMaterial, SRGBColorSpace,
} from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { MAP_SIZE, mapBytes } from './colour_map.js';

/** Above this opacity a body hides what is behind it. */
const OPAQUE = 0.98;

// Faces of the overlap lie in faces of the bodies, which are triangulated otherwise. For the depth test alone they are
// moved towards the eye by more than both may miss the exact surface, so that nothing flickers.
const PULL_DECLARATION = 'uniform float pull;\n';
const PULL = `
  float pulledBy = min(pull, 0.05 * abs(mvPosition.z));
  vec4 pulled = projectionMatrix * (mvPosition + vec4(0.0, 0.0, pulledBy, 0.0));
  gl_Position.z = pulled.z / pulled.w * gl_Position.w;
`;

function addPull(shader, pull) {
  shader.uniforms.pull = { value: pull };
  shader.vertexShader = PULL_DECLARATION +
    shader.vertexShader.replace('#include <project_vertex>', `#include <project_vertex>${PULL}`);
}

const RIM = `
  float facing = abs(dot(normalize(vViewPosition), normal));
  float rim = 1.0 - facing;
  diffuseColor.a = mix(opacity, min(1.0, 1.9 * opacity + 0.12), rim * rim * rim);
  outgoingLight *= 1.0 - 0.22 * rim * rim;
`;

function addRim(shader) {
  shader.fragmentShader = shader.fragmentShader.replace('#include <opaque_fragment>', `${RIM}#include <opaque_fragment>`);
}

function bodySide(side) {
  const material = new MeshPhongMaterial({
    side, transparent: true, depthWrite: false, shininess: 40, specular: 0x222222,
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2,
  });
  material.onBeforeCompile = addRim;
  return material;
}

/** The two materials of a body: its far walls, which are drawn first, and its near ones. */
export function bodyMaterials() {
  return { back: bodySide(BackSide), front: bodySide(FrontSide) };
}

/** Opacity of a body from 0 to 1; what is all but opaque hides what is behind. */
export function setBodyOpacity({ back, front }, opacity) {
  const opaque = opacity >= OPAQUE;
  for (const material of [back, front]) {
    if (material.depthWrite !== opaque) material.needsUpdate = true;
    material.transparent = !opaque;
    material.depthWrite = opaque;
  }
  front.opacity = opacity;
  back.opacity = opaque ? 1 : 0.55 * opacity;
}

export function setColour(material, colour) {
  (material.uniforms?.diffuse?.value ?? material.color).set(colour);
}

/** @param {number} pull [m] */
export function overlapMaterial(pull) {
  const material = new MeshPhongMaterial({ side: DoubleSide, transparent: true, opacity: 0.92, shininess: 30, specular: 0x333333 });
  material.onBeforeCompile = (shader) => addPull(shader, pull);
  return material;
}

export function arrowMaterial() {
  return new MeshPhongMaterial({ side: DoubleSide, transparent: true, shininess: 30, specular: 0x222222 });
}

/** @param {number} width in CSS pixels */
export function lineMaterial(width, opacity) {
  return new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false });
}

let mapTexture = null;

function colourTexture() {
  if (!mapTexture) {
    mapTexture = new DataTexture(mapBytes(), MAP_SIZE, 1);
    mapTexture.colorSpace = SRGBColorSpace;
    mapTexture.minFilter = LinearFilter;
    mapTexture.magFilter = LinearFilter;
    mapTexture.needsUpdate = true;
  }
  return mapTexture;
}

const PATCH_VERTEX = `
  attribute float quantity;
  varying float vQuantity;
  uniform float pull;
  void main() {
    vQuantity = quantity;
    vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * mvPosition;
    ${PULL}
  }
`;

// The colour is looked up for each pixel, so between points, too, it is the one that the legend shows for the value
// there; no light changes it. What is unknown is grey.
const PATCH_FRAGMENT = `
  varying float vQuantity;
  uniform sampler2D map;
  uniform float least;
  uniform float range;
  void main() {
    float u = range > 0.0 ? clamp((vQuantity - least) / range, 0.0, 1.0) : 0.5;
    vec3 colour = texture2D(map, vec2((u * ${(MAP_SIZE - 1).toFixed(1)} + 0.5) / ${MAP_SIZE.toFixed(1)}, 0.5)).rgb;
    gl_FragColor = vec4(vQuantity == vQuantity ? colour : vec3(0.3), 1.0);
    #include <colorspace_fragment>
  }
`;

/** The patch in the colours of the legend, by the attribute `quantity`. */
export function patchMaterial(legend, pull) {
  return new ShaderMaterial({
    vertexShader: PATCH_VERTEX,
    fragmentShader: PATCH_FRAGMENT,
    side: DoubleSide,
    transparent: true,
    uniforms: {
      map: { value: colourTexture() },
      least: { value: legend.min },
      range: { value: legend.max - legend.min },
      pull: { value: pull },
    },
  });
}

/** A patch without a legend keeps the colours of its file, or one colour. */
export function plainPatchMaterial(hasColours, pull) {
  const material = overlapMaterial(pull);
  material.vertexColors = hasColours;
  material.color = new Color(hasColours ? '#ffffff' : '#2f9e8f');
  return material;
}
