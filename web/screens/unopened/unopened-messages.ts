// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const unopenedFailed = {
  remind: (reason: string) => `Failed to remind: ${reason}`,
} as const;
