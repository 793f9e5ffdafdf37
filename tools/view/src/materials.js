// How things are shaded: translucent bodies whose rims are denser (as glass), the overlap, the
// patch in the legend's own colours, lines and arrows.

import {BackSide, Color, DataTexture, DoubleSide, FrontSide, LinearFilter, MeshBasicMaterial, MeshPhongMaterial, PointsMaterial, ShaderMaterial, SRGBColorSpace,} from 'three';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';

import {MAP_SIZE, mapBytes} from './colour_map.js';

/** Above this opacity a body hides what is behind it. */
export const OPAQUE = 0.98;

// Faces of the overlap lie in faces of the bodies, which are triangulated otherwise. For the depth
// test alone they are moved towards the eye by more than both may miss the exact surface, so that
// nothing flickers.
const PULL_DECLARATION = 'uniform float pull;\nuniform float pullTimes;\n';
const PULL = `
  float pulledBy = pullTimes * min(pull, 0.02 * abs(mvPosition.z));
  vec4 pulled = projectionMatrix * (mvPosition + vec4(0.0, 0.0, pulledBy, 0.0));
  gl_Position.z = pulled.z / pulled.w * gl_Position.w;
`;

/** The unit of these moves [m], one for all materials: the inset has its own while it is drawn. */
export const pull = {
  value: 0
};

function addPull(shader, times) {
  shader.uniforms.pull = pull;
  shader.uniforms.pullTimes = {value: times};
  shader.vertexShader = PULL_DECLARATION +
      shader.vertexShader.replace('#include <project_vertex>', `#include <project_vertex>${PULL}`);
}

const RIM = `
  float facing = abs(dot(normalize(vViewPosition), normal));
  float rim = 1.0 - facing;
  diffuseColor.a = mix(opacity, min(1.0, 1.9 * opacity + 0.08), rim * rim * rim);
  outgoingLight *= 1.0 - 0.22 * rim * rim;
`;

function addRim(shader) {
  shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>', `${RIM}#include <opaque_fragment>`);
}

function bodySide(side) {
  const material = new MeshPhongMaterial(
      {side, transparent: true, depthWrite: false, shininess: 40, specular: 0x222222});
  material.onBeforeCompile = addRim;
  return material;
}

// Translucent surfaces should be blended from far to near, pixel by pixel. This comes close for any
// bodies that cross: first all far walls, then all near walls faintly (`veil`), where the order
// makes no difference that is seen, then by their depth the nearest wall of each pixel once more
// (`front`).

/** The materials of a body: back, veil, depth and front, drawn in this order. */
export function bodyMaterials() {
  return {
    back: bodySide(BackSide),
    veil: bodySide(FrontSide),
    depth: new MeshBasicMaterial({
      side: FrontSide,
      transparent: true,
      colorWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    }),
    front: bodySide(FrontSide),
  };
}

/**
 * Opacity of a body from 0 to 1: that of one near wall. What is all but opaque hides what is
 * behind.
 */
export function setBodyOpacity({back, veil, depth, front}, opacity) {
  const opaque = opacity >= OPAQUE;
  for (const material of [back, front]) {
    material.transparent = !opaque;
    material.depthWrite = opaque;
    material.polygonOffset = opaque;
    material.polygonOffsetFactor = 1;
    material.polygonOffsetUnits = 2;
    material.needsUpdate = true;
  }
  veil.visible = !opaque;
  depth.visible = !opaque;
  // Veil and front over each other are as dense as one wall of this opacity.
  veil.opacity = 0.7 * opacity * (1 - opacity);
  front.opacity = opaque ? 1 : 1 - (1 - opacity) / (1 - veil.opacity);
  back.opacity = opaque ? 1 : 0.55 * opacity;
}

export function setColour(material, colour) {
  material.color.set(colour);
  // Arrows glow a little: their colours tell them apart, however they are lit.
  if (material.userData.glow) material.emissive.set(colour).multiplyScalar(material.userData.glow);
}

export function overlapMaterial(times = 1) {
  const material = new MeshPhongMaterial(
      {side: DoubleSide, transparent: true, opacity: 0.92, shininess: 30, specular: 0x333333});
  material.onBeforeCompile = (shader) => addPull(shader, times);
  material.customProgramCacheKey = () => 'pulled';
  return material;
}

/**
 * By how much all arrows are drawn shorter and thinner, so that they stay in the picture where one
 * zooms in.
 */
export const arrowScale = {
  value: 1
};

/** Of arrows in one place, that which is pulled more times is seen. */
export function arrowMaterial(times, width) {
  const material = new MeshPhongMaterial(
      {side: DoubleSide, transparent: true, shininess: 30, specular: 0x222222});
  material.userData.glow = 0.3;
  material.onBeforeCompile = (shader) => {
    addPull(shader, times);
    Object.assign(shader.uniforms, {arrowScale, arrowWidth: {value: width}});
    shader.vertexShader = 'uniform float arrowScale;\nuniform float arrowWidth;\n' +
        shader.vertexShader.replace(
            '#include <begin_vertex>',
            '#include <begin_vertex>\n  transformed *= arrowScale * vec3(arrowWidth, arrowWidth, 1.0);');
  };
  material.customProgramCacheKey = () => 'arrow';
  return material;
}

/** @param {number} width in CSS pixels */
export function lineMaterial(width, opacity, depthTest = true) {
  return new LineMaterial(
      {linewidth: width, transparent: true, opacity, depthWrite: false, depthTest});
}

/** Points as round dots. */
export function dotMaterial() {
  const material =
      new PointsMaterial({size: 11, sizeAttenuation: false, transparent: true, depthTest: false});
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
        '#include <opaque_fragment>',
        'diffuseColor.a *= 1.0 - smoothstep(0.38, 0.5, distance(gl_PointCoord, vec2(0.5)));\n  #include <opaque_fragment>');
  };
  return material;
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

/** The patch lies in faces of the overlap, and is to be seen. */
const PATCH_TIMES = 2;

const PATCH_VERTEX = `
  attribute float quantity;
  varying float vQuantity;
  ${PULL_DECLARATION}
  void main() {
    vQuantity = quantity;
    vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * mvPosition;
    ${PULL}
  }
`;

// The colour is looked up for each pixel, so between points, too, it is the one that the legend
// shows for the value there; no light changes it. What is unknown is grey.
const PATCH_FRAGMENT = `
  varying float vQuantity;
  uniform sampler2D map;
  uniform float least;
  uniform float range;
  void main() {
    float u = range > 0.0 ? clamp((vQuantity - least) / range, 0.0, 1.0) : 0.5;
    vec3 colour = texture2D(map, vec2((u * ${(MAP_SIZE - 1).toFixed(1)} + 0.5) / ${
    MAP_SIZE.toFixed(1)}, 0.5)).rgb;
    gl_FragColor = vec4(vQuantity == vQuantity ? colour : vec3(0.3), 1.0);
    #include <colorspace_fragment>
  }
`;

/** The patch in the colours of the legend, by the attribute `quantity`. */
export function patchMaterial(legend) {
  return new ShaderMaterial({
    vertexShader: PATCH_VERTEX,
    fragmentShader: PATCH_FRAGMENT,
    side: DoubleSide,
    transparent: true,
    uniforms: {
      map: {value: colourTexture()},
      least: {value: legend.min},
      range: {value: legend.max - legend.min},
      pull,
      pullTimes: {value: PATCH_TIMES},
    },
  });
}

/** A patch without a legend keeps the colours of its file, or one colour. */
export function plainPatchMaterial(hasColours) {
  const material = overlapMaterial(PATCH_TIMES);
  material.vertexColors = hasColours;
  material.color = new Color(hasColours ? '#ffffff' : '#2f9e8f');
  return material;
}
