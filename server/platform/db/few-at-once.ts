// A few places for work of one kind: whoever finds none waits for the next that is left, in the order in which they came.

export class FewAtOnce {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** A place, once there is one; it is left when it is disposed of. */
  async place(): Promise<AsyncDisposable> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return {
      [Symbol.asyncDispose]: async () => {
        const next = this.#waiting.shift();
        if (next === undefined) this.#free += 1;
        else next();
      },
    };
  }
}
