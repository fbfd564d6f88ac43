// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const roleDone = {
  roleCreated: 'Role created successfully',
  roleUpdated: 'Role updated successfully',
  roleDeleted: 'Role deleted successfully',
} as const;

export const roleFailed = {
  createRole: (reason: string) => `Failed to create role: ${reason}`,
  updateRole: (reason: string) => `Failed to update role: ${reason}`,
  deleteRole: (reason: string) => `Failed to delete role: ${reason}`,
} as const;

export const roleQuestions = {
  deleteRole: 'Are you sure you want to delete this role? This action cannot be undone.',
} as const;

export const roleEmpty = {
  rolesHint: 'Add Role is for colleagues who may do other things than an Admin or a CPA.',
} as const;
