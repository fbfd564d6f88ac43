// What kind of period the reports of a type are usually for, as far as its name says it, and which periods contradict that.
import { type PeriodKind, periodKindOf, quarterOf } from './period.ts';

/** Whole words of a name. */
const kinds: readonly (readonly [kind: PeriodKind, words: RegExp])[] = [
  ['year', /(?<![\w.-])(?:w-?[23]c?|1099(?:-?[a-z]+)?|109[45](?:-?[abc])?|1096|940|943|944|945|annual|yearly)(?!\w)/i],
  ['month', /(?<![\w.-])monthly(?!\w)/i],
  ['quarter', /(?<![\w.-])(?:941(?:-?x)?|schedule b|quarterly)(?!\w)/i],
];

/** The kind that the name of a report type speaks of; null where it names none, or several. */
export function usualPeriodKind(typeName: string): PeriodKind | null {
  const named = kinds.filter(([, words]) => words.test(typeName));
  return named.length === 1 ? (named[0]?.[0] ?? null) : null;
}

export interface PeriodDoubt {
  /** What the type is for. */
  readonly kind: PeriodKind;
  /** The period of that kind that is likely meant; null where nothing tells. */
  readonly instead: string | null;
}

/** Whether a period contradicts its report type, and what to choose instead; null where it does not. */
export function periodDoubt(typeName: string, period: string): PeriodDoubt | null {
  const kind = usualPeriodKind(typeName);
  const given = periodKindOf(period);
  if (kind === null || given === null || kind === given) return null;
  if (kind === 'year') return { kind, instead: period.slice(0, 4) };
  if (kind === 'month') return { kind, instead: given === 'payDate' ? period.slice(0, 7) : null };
  return { kind, instead: given === 'payDate' || given === 'month' ? quarterOf(period) : null };
}
