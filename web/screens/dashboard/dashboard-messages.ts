// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const dashboardLoading = {
  clients: 'Loading clients...',
} as const;
