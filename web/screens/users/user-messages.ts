// What this screen alone says; what several say is in `web/lib/messages.ts`.
import { inFigures } from '#contract/plain-words.ts';

export const userDone = {
  userCreated: 'User created successfully',
  userUpdated: 'User updated successfully',
  userDeleted: 'User deleted successfully.',
  invitationWithdrawn: (name: string) =>
    `Invitation withdrawn. ${name} stays in the list and cannot sign in until you invite them anew or set a password.`,
  invitedAnew: (users: string) => `${users} invited anew`,
  secondFactorReset: 'Second factor reset successfully',
} as const;

export const userFailed = {
  createUser: 'Failed to create user',
  updateUser: 'Failed to update user',
  takeOverAccess: (reason: string) => `Failed to take over this access: ${reason}`,
  withdrawInvitation: (reason: string) => `Failed to withdraw the invitation: ${reason}`,
  inviteAnew: (reason: string) => `Failed to invite: ${reason}`,
  inviteNobody: 'You may not change any of them.',
  deleteUser: (reason: string) => `Failed to delete user: ${reason}`,
  resetSecondFactor: (reason: string) => `Failed to reset second factor: ${reason}`,
} as const;

export const userQuestions = {
  deleteUser: 'Are you sure you want to delete this user?',
  resetSecondFactor:
    'Their app, passkeys and recovery codes are removed and they are signed out everywhere. At the next sign-in they set up a new one.',
} as const;

/** Of what happens to people who are invited anew. */
export const invitingAnew = {
  link: (people: number) =>
    people === 1
      ? 'A new link, good once and for 72 hours, takes the place of the one before.'
      : 'Each person gets a new link, good once and for 72 hours, in place of the one before.',
  mailed: (mailed: number, people: number) =>
    mailed === people
      ? 'It goes out by mail at once.'
      : mailed === 0
        ? 'Nothing is mailed: hand over what is shown next.'
        : `${inFigures(mailed)} of ${inFigures(people)} have a mail address, to which it goes at once. Hand it over to the others yourself: it is shown next.`,
} as const;

/** Asked before a password or link is lost that nobody has copied. */
export const notCopied = {
  question: 'A password or link above was not copied, and cannot be shown again. Close anyway?',
  keepLabel: 'Go Back',
  leaveLabel: 'Close Anyway',
} as const;

export const userEmpty = {
  users: 'No users found',
  usersFiltered: 'No users match your search and filters.',
  usersHint: 'Add User is for colleagues and for the people of your clients.',
} as const;
