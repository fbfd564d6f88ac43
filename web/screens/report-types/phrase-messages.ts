// The sentences of phrases.

export const phraseWords = {
  about: (type: string) => `Pages with one of these phrases are proposed as ${type}.`,
  none: 'No phrases yet',
  hint: (type: string) =>
    `Pages with one of these phrases are proposed as ${type}. Add what heads them, as it is printed: "Weekly Hours Report".`,
  twice: 'This phrase is in the list already',
  full: (most: number) => `There are ${most} phrases. Remove one to add another.`,
} as const;

export const phraseDone = { phrasesSaved: 'Phrases saved successfully' } as const;

export const phraseFailed = { savePhrases: (reason: string) => `Failed to save the phrases: ${reason}` } as const;
