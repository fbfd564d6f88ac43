// Report types: the kinds of report a firm files under.
import { z } from 'zod';
import { Id, pageQuery, sortQuery, textLine, Version } from './fields.ts';
import { importOf } from './imports.ts';
import { hasPhraseLetters, PHRASE_LENGTH, PHRASE_LETTERS_MIN, PHRASES_MAX } from './phrase-words.ts';
import { searchForm } from './search.ts';

export const ReportTypeInput = z.strictObject({
  name: textLine({ min: 1, max: 100, message: 'Report type name cannot be empty' }),
});
export type ReportTypeInput = z.infer<typeof ReportTypeInput>;

export const ReportTypeImport = importOf(ReportTypeInput);

export const Phrase = textLine({
  ...PHRASE_LENGTH,
  message: `Each phrase must be at least ${PHRASE_LENGTH.min} characters`,
}).refine(
  hasPhraseLetters,
  `Each phrase needs at least ${PHRASE_LETTERS_MIN} letters, or it would be found on every page`,
);

/** Words that pages of a report type have on them. Each once. */
export const PhrasesInput = z.strictObject({
  phrases: z
    .array(Phrase, { error: 'Must be a list of phrases' })
    .max(PHRASES_MAX, `Please enter at most ${PHRASES_MAX} phrases`)
    .transform((phrases) => {
      const forms = phrases.map(searchForm);
      return phrases.filter((_, nth) => forms.indexOf(forms[nth] ?? '') === nth);
    }),
});
export type PhrasesInput = z.infer<typeof PhrasesInput>;

export const ReportTypeRow = z.object({
  id: Id,
  name: z.string(),
  /** By which its pages are recognised; none for those who neither manage report types nor work with batches. */
  phrases: z.array(z.string()),
  /** Of the name and the phrases. */
  version: Version,
});
export type ReportTypeRow = z.infer<typeof ReportTypeRow>;

export const ReportTypeQuery = z.strictObject({ ...pageQuery, sort: sortQuery(['name']) });
export type ReportTypeQuery = z.infer<typeof ReportTypeQuery>;
