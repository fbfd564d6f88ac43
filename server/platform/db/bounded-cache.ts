// A cache with fixed bounds: what was used longest ago is dropped first.

export interface Bounds {
  readonly entries: number;
  /** Of all texts together. */
  readonly characters: number;
  /** A longer text is not cached. */
  readonly longest: number;
}

/** Values, each with the text whose length stands for its memory. */
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

  /** Caches `value` under `text`, and drops others until both bounds hold. */
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
