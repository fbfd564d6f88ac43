// A new password is typed twice where nobody else can say what it was meant to be.

/** What is wrong with the repetition; null where it is right. */
export function repetitionFault(password: string, repeated: string): string | null {
  if (repeated === '') return 'Please repeat the new password';
  return repeated === password ? null : 'The passwords do not match';
}
