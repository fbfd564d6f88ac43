// A page of the corpus, drawn straight as text with places: as readers find it, in no order of reading.
import type { PageText, TextRun } from '#server/batches/reading/page-text.ts';

export class Paper {
  readonly #runs: TextRun[] = [];
  readonly width: number;
  readonly height: number;

  constructor(width = 612, height = 792) {
    this.width = width;
    this.height = height;
  }

  /** Text with its left lower corner free to overlap whatever is there; `y` is its upper edge. */
  put(x: number, y: number, text: string, size = 9): this {
    if (text !== '') this.#runs.push({ text, x, y, width: text.length * size * 0.5, height: size });
    return this;
  }

  right(y: number, text: string, size = 9): this {
    return this.put(this.width - 36 - text.length * size * 0.5, y, text, size);
  }

  /** Cells of one row, each at its place. */
  row(y: number, cells: readonly (readonly [x: number, text: string])[], size = 8): this {
    for (const [x, text] of cells) this.put(x, y, text, size);
    return this;
  }

  /** One digit to a box; `gapAfter` boxes a printed hyphen stands. */
  boxes(x: number, y: number, digits: string, pitch = 15, gapAfter = 2): this {
    [...digits].forEach((digit, index) => {
      this.put(x + index * pitch + (index >= gapAfter ? 14 : 0), y, digit, 11);
    });
    return this.put(x + gapAfter * pitch + 2, y + 1, '—', 8);
  }

  /** `turn` moves the runs' order, which tells nothing on a real page either. */
  page(turn = 0): PageText {
    const at = this.#runs.length === 0 ? 0 : turn % this.#runs.length;
    return {
      width: this.width,
      height: this.height,
      runs: [...this.#runs.slice(at), ...this.#runs.slice(0, at)],
    };
  }
}
