// Keys that are pressed before the field they are meant for is there: kept, and given to it.

export class TypedAhead {
  #text = '';
  #isListening = false;

  begin(): void {
    this.#text = '';
    if (this.#isListening) return;
    this.#isListening = true;
    window.addEventListener('keydown', this.#hear, { capture: true });
  }

  /** Ends it; what was typed. */
  take(): string {
    if (this.#isListening) window.removeEventListener('keydown', this.#hear, { capture: true });
    this.#isListening = false;
    const text = this.#text;
    this.#text = '';
    return text;
  }

  readonly #hear = (event: KeyboardEvent): void => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Backspace') this.#text = [...this.#text].slice(0, -1).join('');
    else if ([...event.key].length === 1) this.#text += event.key;
    else return;
    // Neither a shortcut of the page nor the field that still has the focus is meant.
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}
