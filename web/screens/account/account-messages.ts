// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const accountDone = {
  passwordChanged: 'Password changed successfully',
  deviceSignedOut: 'Device signed out successfully',
  otherDevicesSignedOut: 'All other devices signed out successfully',
  authenticatorAdded: 'Authenticator app set up successfully',
  authenticatorRemoved: 'Authenticator app removed successfully',
  passkeyAdded: 'Passkey added successfully',
  passkeyRemoved: 'Passkey removed successfully',
  recoveryCodesMade: 'New recovery codes made successfully',
  digestChosen: 'Your choice is kept',
} as const;

export const accountFailed = {
  chooseDigest: (reason: string) => `Failed to keep your choice: ${reason}`,
  changePassword: (reason: string) => `Failed to change password: ${reason}`,
  /** Its answer was lost: with the old password one is then refused, or with the new one. */
  changeUnsure:
    'No answer came: your password may have been changed. Where you are asked to sign in again, try the new one first, then the old.',
  /** As one's own first try may have changed it. */
  currentUnsure:
    'The current password is not right. If you have just signed in with the new one, it is changed already.',
  signOutDevice: (reason: string) => `Failed to sign out device: ${reason}`,
  removeAuthenticator: (reason: string) => `Failed to remove authenticator app: ${reason}`,
  removePasskey: (reason: string) => `Failed to remove passkey: ${reason}`,
  makeRecoveryCodes: (reason: string) => `Failed to make recovery codes: ${reason}`,
} as const;
