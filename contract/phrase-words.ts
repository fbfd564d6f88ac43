// What a phrase of a report type is. Without schemas, for recognition and for pages that list them.

/** The most phrases of one report type. */
export const PHRASES_MAX = 30;
export const PHRASE_LENGTH = { min: 3, max: 100 } as const;
/** What is shorter stands on every page. */
export const PHRASE_LETTERS_MIN = 4;

/** Read the same with and without them. */
const JOINERS = /(?<!\p{L})and(?!\p{L})/giu;

/** Whether a phrase has enough letters to be told from what stands on any page. */
export const hasPhraseLetters = (phrase: string): boolean =>
  [...phrase.normalize('NFKC').replace(JOINERS, '').matchAll(/\p{L}/gu)].length >= PHRASE_LETTERS_MIN;
