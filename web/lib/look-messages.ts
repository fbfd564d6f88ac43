// What is said of looks.

export const lookWords = {
  beginFailed: (reason: string) => `Failed to begin the look: ${reason}`,
  endFailed: (reason: string) => `Failed to end the look: ${reason}`,
  account: (name: string) => `Password, second factors, devices and account activity of ${name} are no part of a look.`,
} as const;
