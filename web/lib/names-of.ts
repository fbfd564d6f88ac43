// Names of files that something failed for, with the reason of each.
import { reasonOf } from './api.ts';

const NAMED_AT_ONCE = 3;

/** 'a.pdf (The server is busy.), b.pdf (…) and 4 more'. */
export function namesOf(
  failures: readonly { readonly file: { readonly originalName: string }; readonly error: unknown }[],
): string {
  const named = failures.slice(0, NAMED_AT_ONCE).map(({ file, error }) => `${file.originalName} (${reasonOf(error)})`);
  const more = failures.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
