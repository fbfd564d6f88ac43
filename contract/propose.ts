// What a file's name says about its client and its type; its period is read by `proposePeriod`.
import type { DocumentType } from './file-kinds.ts';
import { searchForm } from './search.ts';

/** A client as a file's name may speak of it. */
export interface ClientNames {
  readonly id: number;
  /** The legal name first, then other names that it goes by. */
  readonly names: readonly string[];
  /** Nine digits, with or without a hyphen. */
  readonly federalId: string;
}

export interface TypeName {
  readonly id: number;
  readonly name: string;
}

/** Words that say what kind of company it is, or join the others: file names leave them out. */
const LEFT_OUT = new Set(
  'the and of for llc inc incorporated corp corporation co company ltd limited lp llp pllc pc pa dba'.split(' '),
);
/** Words that many report types share: alone they tell nothing. */
const COMMON = new Set(
  'report reports payroll form tax quarterly annual yearly monthly summary statement return filing the and of for'.split(
    ' ',
  ),
);
/** A first word this short is found in too many names. */
const FIRST_WORD_MIN = 4;
/** Two letters are found anywhere. */
const INITIALS_MIN = 3;

/**
 * What cameras, phones and scanners begin the names of their files with: before a number ('IMG_1234', 'DSC_0001', 'doc-001'), or alone
 * ('IMG (2)'); 'scan' whatever follows. It names no client.
 */
const OF_A_DEVICE = /^(?:scan(?![a-z])|(?:(?:mv|c)?img|pxl|dsc[nf]?|scn|doc)(?=[-_]?(?:\d{4}|0\d\d)|[ (\d)]{0,5}$))/i;

const withoutExtension = (fileName: string) => fileName.normalize('NFKC').replace(/\.[a-z\d]{1,5}$/i, '');

/** A text's words in small plain letters: 'HarborPine_W-2' is harbor, pine, w2. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(?<![\p{L}\d])(w|94[01345])-(\d[cs]?|x)(?![\p{L}\d])/giu, '$1$2')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(searchForm)
    .filter((word) => word !== '');
}

const tellingWords = (name: string) => wordsOf(name).filter((word) => !LEFT_OUT.has(word));

/** By what a file's name speaks of a client. */
export type NamedBy = 'federalId' | 'wholeName' | 'firstWords' | 'initials';

/** What a client is found by: a text of joined words or its federal id, with how much that tells. */
interface Telling {
  readonly id: number;
  readonly by: NamedBy;
  readonly score: number;
}

/** The federal id above the whole name, that above its first words, and those above its initials. */
const SCORES: Record<NamedBy, number> = { federalId: 10_000, wholeName: 1_000, firstWords: 100, initials: 10 };

/** A name by its beginnings, without the words that names leave out: 'harborpinebakery', 'harborpine', 'harbor'. */
function beginningsOf(words: readonly string[]): (Omit<Telling, 'id'> & { readonly text: string })[] {
  const beginnings = [];
  for (let count = words.length; count > 0; count -= 1) {
    const text = words.slice(0, count).join('');
    const whole = count === words.length;
    if (text.length < FIRST_WORD_MIN && !(whole && text.length >= INITIALS_MIN)) break;
    const by: NamedBy = whole ? 'wholeName' : 'firstWords';
    beginnings.push({ text, by, score: SCORES[by] + text.length });
  }
  return beginnings;
}

/** Every run of words that stand beside each other, joined: what a name may be written as in it. */
function runsOf(words: readonly string[], longest: number): string[] {
  return words.flatMap((_, from) => {
    const runs = [];
    let run = '';
    for (const word of words.slice(from)) {
      run += word;
      if (run.length > longest) break;
      runs.push(run);
    }
    return runs;
  });
}

/** The clients that a file's name speaks of most clearly, and by what. */
export interface NamedClients {
  /** Several where it speaks of them alike. */
  readonly ids: readonly number[];
  readonly by: NamedBy;
}

/**
 * Finds the clients that a file's name speaks of; null where it speaks of none. The clients' names are read once, so that hundreds
 * of files are compared with thousands of clients at no cost that anybody feels.
 */
export function clientReader(clients: readonly ClientNames[]): (fileName: string) => NamedClients | null {
  const byText = new Map<string, Telling[]>();
  const byInitials = new Map<string, Telling[]>();
  const byFederalId = new Map<string, Telling[]>();
  let longest = 0;
  const add = (to: Map<string, Telling[]>, text: string, telling: Telling) => {
    const there = to.get(text);
    if (there === undefined) to.set(text, [telling]);
    else there.push(telling);
  };
  for (const { id, names, federalId } of clients) {
    const digits = federalId.replace(/\D/g, '');
    if (digits !== '') add(byFederalId, digits, { id, by: 'federalId', score: SCORES.federalId });
    for (const name of names) {
      const words = tellingWords(name);
      for (const { text, ...telling } of beginningsOf(words)) {
        add(byText, text, { id, ...telling });
        longest = Math.max(longest, text.length);
      }
      const initials = words.map((word) => word.charAt(0)).join('');
      if (initials.length >= INITIALS_MIN) add(byInitials, initials, { id, by: 'initials', score: SCORES.initials });
    }
  }
  return (fileName) => {
    const name = withoutExtension(fileName);
    const words = tellingWords(name);
    const federalIds = [...name.matchAll(/(?<!\d)(\d{2})-?(\d{7})(?!\d)/g)].map(
      ([, prefix, rest]) => `${prefix}${rest}`,
    );
    const device = OF_A_DEVICE.exec(name)?.[0].toLowerCase();
    const ofClients = (texts: readonly string[], known: ReadonlyMap<string, readonly Telling[]>) =>
      texts.flatMap((text) => (text === device ? [] : (known.get(text) ?? [])));
    const found = [
      ...ofClients(federalIds, byFederalId),
      ...ofClients(runsOf(words, longest), byText),
      ...ofClients(words, byInitials),
    ];
    const best = Math.max(0, ...found.map(({ score }) => score));
    const those = found.filter(({ score }) => score === best);
    const [first] = those;
    return first === undefined ? null : { ids: [...new Set(those.map(({ id }) => id))], by: first.by };
  };
}

/** Proposes the client that a file's name speaks of; null where it speaks of none, or of several alike. */
export function clientProposer(clients: readonly ClientNames[]): (fileName: string) => number | null {
  const read = clientReader(clients);
  return (fileName) => {
    const ids = read(fileName)?.ids ?? [];
    return ids.length === 1 ? (ids[0] ?? null) : null;
  };
}

/** Tax forms by the number that they go by: what two texts that name a form must have in common. */
const FORMS = new Set('940 941 941x 943 944 945 w2 w2c w3 w4 w9 1094 1095 1096 1099 i9'.split(' '));

/** A word as its form's number, where it has one: 'form941' and 'w2s' are 941 and w2. */
const bare = (word: string) => word.replace(/^form|s$/g, '');

/** Proposes the report type that a file's name speaks of; null where it speaks of none, or of several alike. */
export function reportTypeProposer(reportTypes: readonly TypeName[]): (fileName: string) => number | null {
  const known = reportTypes.map(({ id, name }) => {
    const all = [...new Set(wordsOf(name))];
    return { id, all, forms: all.map(bare).filter((word) => FORMS.has(word)) };
  });
  return (fileName) => {
    const words = new Set(wordsOf(withoutExtension(fileName)).flatMap((word) => [word, bare(word)]));
    const forms = [...words].filter((word) => FORMS.has(word));
    let best: number | null = null;
    let bestScore = 0;
    for (const { id, all, forms: ownForms } of known) {
      if ((forms.length > 0 || ownForms.length > 0) && !ownForms.some((form) => forms.includes(form))) continue;
      const found = all.filter((word) => words.has(word) || words.has(word.replace(/s$/, '')));
      const telling = found.filter((word) => !COMMON.has(word)).length + ownForms.length;
      if (telling === 0) continue;
      // Of two types with the same words found, the one with fewer others: 941 before 941 Amendment.
      const score = telling * 10_000 + found.length * 100 + 99 - Math.min(99, all.length);
      if (score > bestScore) {
        best = id;
        bestScore = score;
      } else if (score === bestScore) best = null;
    }
    return best;
  };
}

/** What file names say of a file that corrects an earlier one. */
const CORRECTED_NAME =
  /(?<![a-z])(?:amended|amendment|corrected|correction|revised|rerun|re-run|replacement)(?![a-z])/i;
/** The forms that correct others. */
const CORRECTING_FORMS = new Set('941x 943x 944x 945x w2c w3c'.split(' '));

/** Whether a file's name says that it corrects an earlier one. */
export const namesCorrection = (fileName: string): boolean =>
  CORRECTED_NAME.test(fileName) || wordsOf(withoutExtension(fileName)).some((word) => CORRECTING_FORMS.has(word));

/** What names of company documents hold, by their type: all words of one line. */
const DOCUMENT_WORDS: readonly (readonly [DocumentType, ...string[]])[] = [
  ['Tax Return', 'tax', 'return'],
  ['Tax Return', 'tax', 'returns'],
  ['Tax Return', '1120'],
  ['Tax Return', '1120s'],
  ['Tax Return', '1065'],
  ['Tax Return', '1040'],
  ['Financial Statement', 'financial', 'statement'],
  ['Financial Statement', 'financial', 'statements'],
  ['Financial Statement', 'balance', 'sheet'],
  ['Financial Statement', 'income', 'statement'],
  ['Financial Statement', 'profit', 'loss'],
  ['Supporting Document', 'supporting'],
  ['Correspondence', 'correspondence'],
  ['Correspondence', 'letter'],
];

/** The document type that a file's name speaks of; null where it speaks of none, or of several. */
export function proposeDocumentType(fileName: string): DocumentType | null {
  const words = new Set(wordsOf(withoutExtension(fileName)));
  const found = new Set(
    DOCUMENT_WORDS.filter(([, ...needed]) => needed.every((word) => words.has(word))).map(([type]) => type),
  );
  return found.size === 1 ? ([...found][0] ?? null) : null;
}
