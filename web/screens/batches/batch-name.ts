// What a batch is called: after the first of its files. How many there are is counted where it is shown: what is dropped may hold files twice, or be a ZIP.

const NAME_MAX = 120;

/** What no name may hold: signs that are not seen, or that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** 'payrun-2026-11.pdf', or 'payrun-2026-11.pdf and others'. Empty files come into no batch. */
export function batchNameOf(files: readonly { readonly name: string; readonly size: number }[]): string {
  const taken = files.filter(({ size }) => size > 0);
  const rest = taken.length > 1 ? ' and others' : '';
  const first = (taken[0] ?? files[0])?.name.replace(UNSEEN, '').trim() || 'Batch';
  return `${first.slice(0, NAME_MAX - rest.length).trim()}${rest}`;
}
