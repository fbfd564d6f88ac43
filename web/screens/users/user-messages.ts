// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const userDone = {
  userCreated: 'User created successfully',
  userUpdated: 'User updated successfully',
  userDeleted: 'User deleted successfully.',
  invitationWithdrawn: (name: string) =>
    `Invitation withdrawn. ${name} stays in the list and cannot sign in until you invite them anew or set a password.`,
  secondFactorReset: 'Second factor reset successfully',
} as const;

export const userFailed = {
  createUser: 'Failed to create user',
  updateUser: 'Failed to update user',
  takeOverAccess: (reason: string) => `Failed to take over this access: ${reason}`,
  withdrawInvitation: (reason: string) => `Failed to withdraw the invitation: ${reason}`,
  deleteUser: (reason: string) => `Failed to delete user: ${reason}`,
  resetSecondFactor: (reason: string) => `Failed to reset second factor: ${reason}`,
} as const;

export const userQuestions = {
  deleteUser: 'Are you sure you want to delete this user?',
  resetSecondFactor:
    'Their app, passkeys and recovery codes are removed and they are signed out everywhere. At the next sign-in they set up a new one.',
} as const;

/** Asked before a password or link is lost that nobody has copied. */
export const notCopied = {
  question: 'A password or link above was not copied, and cannot be shown again. Close anyway?',
  keepLabel: 'Go Back',
  leaveLabel: 'Close Anyway',
} as const;

export const userEmpty = {
  users: 'No users found',
  usersHint: 'Add User is for colleagues and for the people of your clients.',
} as const;
