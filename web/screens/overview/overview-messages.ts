// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const overviewFailed = {
  /** A reason for `downloadFile`, as the overview words it. */
  downloadStatus: (statusText: string) => `Download failed: ${statusText}`,
  authenticationOverview: 'Authentication required. Please log in again.',
  /** Below a total. */
  summary: 'Could not be loaded',
} as const;

export const overviewEmpty = {
  overviewActivities: 'No activities found.',
  recentUploads: { title: 'No recent uploads', hint: 'Files uploaded will appear here.' },
} as const;
