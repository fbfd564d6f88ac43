// Time zones by their names: which exist, and their formatters, of which a limited number is kept.

/** IANA names and offsets such as +05:30, as far as their letters go. */
const SPELLING = /^[A-Za-z0-9_+:/-]{1,64}$/;

/** More zones than people of one firm work in; making a formatter again takes a tenth of a millisecond. */
const FORMATS_KEPT = 50;
/** A name takes some hundred bytes, a formatter some 26 KB. */
const NAMES_KEPT = 1_000;

/** A cache of the `max` values made or used last. */
class Recent<Value> {
  readonly #kept = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, make: () => Value): Value {
    const value = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (this.#kept.size > this.#max) {
      for (const oldest of this.#kept.keys()) {
        this.#kept.delete(oldest);
        break;
      }
    }
    return value;
  }
}

const canonicalNames = new Recent<string>(NAMES_KEPT);

/** The one name of the zone that `name` spells, whatever its case or alias; throws a RangeError where there is none. */
function canonicalZone(name: string): string {
  if (!SPELLING.test(name)) throw new RangeError('Unknown time zone');
  return canonicalNames.get(
    name.toLowerCase(),
    () => new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone,
  );
}

/** Whether this runtime knows the zone. */
export function isTimeZone(name: string): boolean {
  try {
    canonicalZone(name);
    return true;
  } catch {
    return false;
  }
}

/** American formatters with `options`, by zone: made when first asked for. They throw a RangeError for an unknown zone. */
export function formatsByZone(
  options: Omit<Intl.DateTimeFormatOptions, 'timeZone'>,
): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Recent<Intl.DateTimeFormat>(FORMATS_KEPT);
  return (name) => {
    const timeZone = canonicalZone(name);
    return formats.get(timeZone, () => new Intl.DateTimeFormat('en-US', { ...options, timeZone }));
  };
}
