// What is kept for its next use within fixed bounds: what was used longest ago goes first.

export interface Bounds {
  readonly entries: number;
  /** Of all texts together. */
  readonly characters: number;
  /** A longer text is not kept at all. */
  readonly longest: number;
}

/** Values with the text that tells how much memory each stands for. */
export class BoundedCache<Value> {
  readonly #bounds: Bounds;
  readonly #entries = new Map<string, { readonly value: Value; readonly characters: number }>();
  #characters = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps `value`, which stands for `text`, and drops others as far as it must. */
  set(key: string, value: Value, text: string): void {
    this.#forget(key);
    if (text.length > this.#bounds.longest) return;
    this.#entries.set(key, { value, characters: text.length });
    this.#characters += text.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#bounds.entries && this.#characters <= this.#bounds.characters) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#characters -= this.#entries.get(key)?.characters ?? 0;
    this.#entries.delete(key);
  }
}
