// What staff read about uploads that name another company than the one they were sent for.

import { endedSentence } from '#contract/plain-words.ts';

export const NAMES_ANOTHER = 'Names another company';

/** '2 uploads name another company' */
export const uploadsNaming = (count: string, isOne: boolean) =>
  isOne ? `${count} upload names another company` : `${count} uploads name another company`;

/** Whom a file names where that may not be told, or where it is several. */
const ANOTHER = 'another company';

/** 'This file names Harbor & Pine Bakery LLC, not Acme Plumbing LLC. It was sent by Dana Reyes.' */
export const namesWords = (
  named: string | null,
  { clientName, uploaderName }: { readonly clientName: string; readonly uploaderName: string },
) =>
  `${endedSentence(`This file names ${named ?? ANOTHER}, not ${clientName}`)} ${endedSentence(`It was sent by ${uploaderName}`)}`;
