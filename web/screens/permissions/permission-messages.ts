// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const permissionDone = {
  permissionsUpdated: 'Permissions updated successfully',
  fourEyes: (on: boolean) => (on ? 'Four eyes are on' : 'Four eyes are off'),
} as const;

export const permissionFailed = {
  updatePermissions: (reason: string) => `Failed to update permissions: ${reason}`,
  fourEyes: (reason: string) => `Failed to change the setting: ${reason}`,
} as const;
