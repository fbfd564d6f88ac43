// What a batch is called: after the first of its files.

const NAME_MAX = 120;

/** What no name may hold: signs that are not seen, or that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** 'payrun-2026-11.pdf', or 'payrun-2026-11.pdf and 3 others'. */
export function batchNameOf(files: readonly { readonly name: string }[]): string {
  const others = files.length - 1;
  const rest = others < 1 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`;
  const first = files[0]?.name.replace(UNSEEN, '').trim() || 'Batch';
  return `${first.slice(0, NAME_MAX - rest.length).trim()}${rest}`;
}
