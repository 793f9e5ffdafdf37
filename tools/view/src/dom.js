// Elements by code. Texts are data, so they only ever become text nodes; nothing here parses
// markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** An HTML element with attributes and children (nodes, or strings that become text). */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** A small key as it is shown in help and tooltips. */
export function keyCap(name) {
  return element('kbd', {}, name);
}

/** Sets a node's text, unless it stands there: layout is not touched in vain. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
