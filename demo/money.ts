// Amounts in whole cents, the share of one, and how documents print them.

/** `part` of 10,000 of an amount, to the nearest cent, half away from zero. */
export function shareOf(cents: number, partsPerTenThousand: number): number {
  return Math.round((cents * partsPerTenThousand) / 10_000);
}

export function sumOf<T>(items: readonly T[], centsOf: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += centsOf(item);
  return total;
}

const grouped = new Intl.NumberFormat('en-US');

/** 1,234.56, and (1,234.56) below zero, as bookkeepers write it. */
export function amount(cents: number): string {
  const absolute = Math.abs(cents);
  const text = `${grouped.format(Math.trunc(absolute / 100))}.${String(absolute % 100).padStart(2, '0')}`;
  return cents < 0 ? `(${text})` : text;
}

/** $1,234.56 */
export function dollars(cents: number): string {
  return cents < 0 ? `($${amount(-cents)})` : `$${amount(cents)}`;
}

/** As `amount`, with a dash for nothing: columns that are mostly empty stay readable. */
export function amountOrDash(cents: number): string {
  return cents === 0 ? '–' : amount(cents);
}

/** Hundredths of an hour as 80.00. */
export function hoursText(hundredths: number): string {
  return `${Math.trunc(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** Parts of 10,000 as 3.07%. */
export function percent(partsPerTenThousand: number): string {
  const text = (partsPerTenThousand / 100).toFixed(2);
  return `${text}%`;
}
