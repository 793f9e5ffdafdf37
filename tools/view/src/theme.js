// Light or dark: as the system says, until the button is used.

export class Theme {
  /** @param {(theme: 'light'|'dark') => void} onChange also called at once */
  constructor(button, onChange) {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    this.onChange = onChange;
    this.button = button;
    this.chosen = false;
    this.#set(system.matches ? 'dark' : 'light');
    system.addEventListener(
        'change', () => this.chosen || this.#set(system.matches ? 'dark' : 'light'));
    button.addEventListener('click', () => this.toggle());
  }

  toggle() {
    this.chosen = true;
    this.#set(this.name === 'dark' ? 'light' : 'dark');
  }

  #set(name) {
    this.name = name;
    document.documentElement.dataset.theme = name;
    this.button.setAttribute(
        'aria-label', name === 'dark' ? 'Use light colours' : 'Use dark colours');
    this.onChange(name);
  }
}
