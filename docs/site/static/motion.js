// A page with motion in the gallery is there while it is open: a browser draws only a few at a
// time.
document.addEventListener('toggle', ({target}) => {
  if (!target.matches('details.motion')) return;
  const frame = target.querySelector('iframe');
  frame.src = target.open ? frame.dataset.src : 'about:blank';
}, true);
