// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const sessionFailed = {
  loginUnknown: 'Unknown error occurred',
  signInOver: 'This sign-in took too long. Please start again.',
} as const;

export const sessionRequired = {
  username: 'Username is required',
  password: 'Password is required',
  recoveryCode: 'Recovery code is required',
} as const;
