// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const activityFailed = {
  exportActivity: (reason: string) => `Failed to export activity: ${reason}`,
} as const;

export const activityEmpty = {
  activitiesHint: 'What people upload, open, change and delete is listed here.',
  activitiesSearched: 'No activities match your search and filters.',
} as const;
