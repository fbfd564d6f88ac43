// Which of the firm's report types a form goes to, and by what words pages are recognised: the forms' own and the firm's phrases.
import type { PeriodKind } from '#contract/period.ts';
import { FORMS } from './forms/all.ts';
import type { Form } from './forms/form.ts';
import { isJoiner } from './name-words.ts';
import { plainWord, plainWords } from './page-words.ts';
import type { KnownReportType } from './proposal.ts';

/** What a phrase on a page speaks for. */
export interface Phrase {
  readonly form: Form | null;
  /** Null where the firm has no type for the form. */
  readonly reportTypeId: number | null;
  readonly kind: 'title' | 'heading' | 'laterPage' | 'typeName' | 'firmPhrase';
}

/** Says nothing in the name of a type. */
const NOISE = new Set(['form', 'report', 'irs', 'the', 'and', 'of', 'for', '']);

/** The words of a type's name: 'W-2 / W-3' is w2 and w3, 'Tax Notices' is tax and notice. */
const nameWords = (name: string): Set<string> =>
  new Set(
    name
      .split(/[^\p{L}\p{N}\p{M}'’-]+/u)
      .map((word) => plainWord(word).replace(/(?<=\p{L}{3})s$/u, ''))
      .filter((word) => !NOISE.has(word)),
  );

const holds = (whole: Set<string>, part: Set<string>) => [...part].every((word) => whole.has(word));

/** How far a type's name is from what a form is called; null where they are different things. */
function distance(alias: Set<string>, name: Set<string>): number | null {
  if (alias.size === 0 || name.size === 0) return null;
  const telling = [...alias].some((word) => /\d/.test(word)) || alias.size > 1 || name.size <= 2;
  if (holds(name, alias) && telling) return name.size - alias.size;
  if (holds(alias, name) && name.size > 1) return alias.size - name.size;
  return null;
}

/** The report type that a form goes to; null where none does, or several alike. */
function reportTypeOf(
  form: Form,
  types: readonly { readonly id: number; readonly words: Set<string> }[],
): number | null {
  let among = types;
  for (const alias of form.reportTypes) {
    const words = nameWords(alias);
    const near = among.flatMap((type) => {
      const far = distance(words, type.words);
      return far === null ? [] : [{ type, far }];
    });
    const nearest = Math.min(...near.map(({ far }) => far));
    const those = near.filter(({ far }) => far === nearest).map(({ type }) => type);
    if (those.length === 1) return those[0]?.id ?? null;
    // Of several alike, a name further down may be that of one.
    if (those.length > 1) among = those;
  }
  return null;
}

/** A phrase as it is compared: its words in plain letters, joined. */
export const phraseKey = (phrase: string): string =>
  plainWords(phrase)
    .filter((word) => !isJoiner(word))
    .join('');

export class TypeIndex {
  readonly longest: number;
  readonly #phrases = new Map<string, Phrase[]>();
  readonly #starts = new Set<string>();
  readonly #reportTypes = new Map<string, number | null>();

  constructor(reportTypes: readonly KnownReportType[]) {
    const types = reportTypes.map(({ id, name }) => ({ id, words: nameWords(name) }));
    for (const form of FORMS) {
      const reportTypeId = reportTypeOf(form, types);
      this.#reportTypes.set(form.name, reportTypeId);
      for (const title of form.titles) this.#add(title, { form, reportTypeId, kind: 'title' });
      for (const heading of form.headings) this.#add(heading, { form, reportTypeId, kind: 'heading' });
      for (const words of form.laterPages) this.#add(words, { form, reportTypeId, kind: 'laterPage' });
    }
    for (const { id, name, phrases } of reportTypes) {
      if (plainWords(name).length > 1) this.#add(name, { form: null, reportTypeId: id, kind: 'typeName' });
      for (const phrase of phrases) this.#add(phrase, { form: null, reportTypeId: id, kind: 'firmPhrase' });
    }
    this.longest = Math.max(0, ...[...this.#phrases.keys()].map((key) => key.length));
  }

  #add(text: string, phrase: Phrase): void {
    const key = phraseKey(text);
    if (key === '') return;
    const there = this.#phrases.get(key);
    if (there === undefined) this.#phrases.set(key, [phrase]);
    else there.push(phrase);
    for (let length = 1; length <= key.length; length += 1) this.#starts.add(key.slice(0, length));
  }

  reportTypeOf(form: Form): number | null {
    return this.#reportTypes.get(form.name) ?? null;
  }

  /**
   * Whether a document usually has a period: by its form, or else as all forms that go to its report type do. Null of a type that no
   * form goes to; false without a type, since what it is comes first.
   */
  wantsPeriod({ form, reportTypeId }: Pick<Phrase, 'form' | 'reportTypeId'>): boolean | null {
    if (form !== null) return form.period !== null;
    if (reportTypeId === null) return false;
    const forms = this.#formsOf(reportTypeId);
    return forms.length === 0 ? null : forms.every(({ period }) => period !== null);
  }

  /** The kind of period that a document usually has: by its form, or else where all forms that go to its report type have the same. */
  usualPeriod({ form, reportTypeId }: Pick<Phrase, 'form' | 'reportTypeId'>): PeriodKind | null {
    if (form !== null) return form.period;
    const kinds = new Set(reportTypeId === null ? [] : this.#formsOf(reportTypeId).map(({ period }) => period));
    const [usual = null] = kinds;
    return kinds.size === 1 ? usual : null;
  }

  #formsOf(reportTypeId: number): readonly Form[] {
    return FORMS.filter((each) => this.reportTypeOf(each) === reportTypeId);
  }

  mayBegin(text: string): boolean {
    return this.#starts.has(text);
  }

  find(key: string): readonly Phrase[] {
    return this.#phrases.get(key) ?? [];
  }
}
