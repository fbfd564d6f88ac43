// What this screen alone says; what several say is in `web/lib/messages.ts`.
import { endedSentence } from '#contract/plain-words.ts';

export const reportFailed = {
  fetchReports: (status: number) => `HTTP error! status: ${status}`,
} as const;

export const reportLoading = {
  reports: 'Loading reports...',
} as const;

export const reportEmpty = {
  filesOfType: 'No files found for this report type.',
  filesOfTypeHint: 'Upload Files sends the first one.',
  filesWithoutType: 'No reports without a type',
  filesOfTypeSearched: 'Nothing matches the client, the search and the filters that are set.',
  clientReportsSearched: 'No reports match your filters.',
} as const;

export const markedFailed = {
  settle: (reason: string) => `Failed to confirm the file: ${reason}`,
  load: 'It could not be loaded whether this file names another company.',
} as const;

export const markedDone = { settled: 'File confirmed successfully' } as const;

/** Whom a file names where that may not be told, or where it is several. */
const ANOTHER = 'another company';

/** 'This file names Harbor & Pine Bakery LLC, not Acme Plumbing LLC. It was sent by Dana Reyes.' */
export const namesWords = (
  named: string | null,
  { clientName, uploaderName }: { readonly clientName: string; readonly uploaderName: string },
) =>
  `${endedSentence(`This file names ${named ?? ANOTHER}, not ${clientName}`)} ${endedSentence(`It was sent by ${uploaderName}`)}`;

/** Who opened a file that is corrected by now; `isAll` where nobody else can have. */
export const correctionFacts = {
  opened: (names: readonly string[], isAll: boolean) => {
    if (names.length === 0) return 'Nobody has opened the earlier file.';
    const people = names.length === 1 ? '1 person' : `${names.length} people`;
    return `${isAll ? people : `At least ${people}`} opened the earlier file: ${names.join(', ')}`;
  },
  unread: (reason: string) => `Who opened the earlier file is not known: ${reason}`,
} as const;
