// A password made by the browser, for somebody who is told it once.

// Without the letters and digits that are easily confused.
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 16;
/** The largest multiple of the alphabet's length in a byte: what lies beyond would favour the first letters. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);

/** Sixteen letters and digits that are not mistaken for each other: some 93 bits. */
export function generatedPassword(): string {
  let password = '';
  while (password.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BELOW && password.length < LENGTH) password += ALPHABET[byte % ALPHABET.length];
    }
  }
  return password;
}
