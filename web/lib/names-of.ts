// Names of files that something failed for, with the reason of each.
import { inFigures } from '#contract/plain-words.ts';
import { reasonOf } from './api.ts';
import { notAllDone } from './messages.ts';

const NAMED_AT_ONCE = 3;

/** 'a.pdf (The server is busy.), b.pdf (…) and 4 more', and where it was `done` for others, with how many. */
export function namesOf(
  failures: readonly { readonly file: { readonly originalName: string }; readonly error: unknown }[],
  done: number,
): string {
  const named = failures.slice(0, NAMED_AT_ONCE).map(({ file, error }) => `${file.originalName} (${reasonOf(error)})`);
  const more = failures.length - named.length;
  return notAllDone(`${named.join(', ')}${more > 0 ? ` and ${inFigures(more)} more` : ''}`, done, failures.length);
}
