// Names of many files, of which the first few are said; and of those that something failed for, with the reason of each.
import { inFigures } from '#contract/plain-words.ts';
import { reasonOf } from './api-fault.ts';
import { notAllDone } from './messages.ts';

const NAMED_AT_ONCE = 3;

/** 'a.pdf, b.pdf, c.pdf and 497 more'. */
export function someOf(names: readonly string[]): string {
  const more = names.length - NAMED_AT_ONCE;
  return `${names.slice(0, NAMED_AT_ONCE).join(', ')}${more > 0 ? ` and ${inFigures(more)} more` : ''}`;
}

/** 'a.pdf (The server is busy.), b.pdf (…) and 4 more', and where it was `done` for others, with how many. */
export function namesOf(
  failures: readonly { readonly file: { readonly originalName: string }; readonly error: unknown }[],
  done: number,
): string {
  const named = failures.map(({ file, error }) => `${file.originalName} (${reasonOf(error)})`);
  return notAllDone(someOf(named), done, failures.length);
}
