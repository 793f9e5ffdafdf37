// Colours of what is drawn, one set for each theme; told apart by the colour-blind, too (blue,
// orange, purple first).

const BODIES = {
  light: {
    a: '#3d7fc1',
    b: '#e38b2c',
    others: ['#3d7fc1', '#e38b2c', '#2f9e8f', '#8a7fc7', '#b5a033', '#5aa9dd', '#c46a6a']
  },
  dark: {
    a: '#62a5ea',
    b: '#f0a048',
    others: ['#62a5ea', '#f0a048', '#45c0ae', '#a99df0', '#d0bb4c', '#85c8f5', '#e08a8a']
  },
};

const PARTS = {
  light: {
    overlap: '#a8368f',
    centroid: '#1d2733',
    point: '#1d2733',
    normal: '#44505e',
    force: '#c2304a',
    torque: '#12806f',
    area_vector: '#5b4bb5',
    velocity: '#3f7d20',
    arcs: '#7a1164',
    cells: '#7d8894',
    trail: '#5d6b7a',
    other: '#77818c',
  },
  dark: {
    overlap: '#d768bd',
    centroid: '#f2f5f8',
    point: '#f2f5f8',
    normal: '#c3ced9',
    force: '#ff6b7f',
    torque: '#3fcfb8',
    area_vector: '#a396ff',
    velocity: '#8fd14f',
    arcs: '#f5a3e3',
    cells: '#77828e',
    trail: '#9fb0c0',
    other: '#98a3ae',
  },
};

/** Colours of curves in plots. */
export const CURVES = {
  light: ['#2f6fb3', '#d07a1c', '#a8368f', '#2a8c7e', '#6b5fc0', '#8f7d1a', '#b3504f', '#4d7f9e'],
  dark: ['#6cb0f5', '#f5aa57', '#e07ccb', '#4fcab8', '#b0a5f7', '#d6c35a', '#ec9695', '#8fc3e3'],
};

/** The colour of a body: of A and B by side, of the bodies of a run by their number. */
export function bodyColour(theme, side, number) {
  const set = BODIES[theme];
  return side ? set[side] : set.others[number % set.others.length];
}

/** Of bodies of a run that do not move. */
export function stayingColour(theme) {
  return theme === 'light' ? '#a3aab2' : '#7d8791';
}

export function partColour(theme, layer) {
  return PARTS[theme][layer] ?? PARTS[theme].other;
}
