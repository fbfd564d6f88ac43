// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const reportFailed = {
  fetchReports: (status: number) => `HTTP error! status: ${status}`,
} as const;

export const reportLoading = {
  reports: 'Loading reports...',
} as const;

export const reportEmpty = {
  filesOfType: 'No files found for this report type.',
  filesOfTypeHint: 'Upload Files sends the first one.',
  filesOfTypeSearched: 'Nothing matches the client, the search and the filters that are set.',
  clientReportsSearched: 'No reports match your filters.',
} as const;

export const markedFailed = {
  settle: (reason: string) => `Failed to confirm the file: ${reason}`,
  load: 'It could not be loaded whether this file names another company.',
} as const;

export const markedDone = { settled: 'File confirmed successfully' } as const;
