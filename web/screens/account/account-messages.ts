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
  signOutDevice: (reason: string) => `Failed to sign out device: ${reason}`,
  removeAuthenticator: (reason: string) => `Failed to remove authenticator app: ${reason}`,
  removePasskey: (reason: string) => `Failed to remove passkey: ${reason}`,
  makeRecoveryCodes: (reason: string) => `Failed to make recovery codes: ${reason}`,
} as const;
