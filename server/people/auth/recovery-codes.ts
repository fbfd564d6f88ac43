// Recovery codes: ten, of 80 random bits each, kept on paper and used once.
import { randomBytes } from 'node:crypto';
import { fingerprint } from '../../platform/secrets.ts';

const CODES = 10;
const CODE_BYTES = 10;
const GROUP = 4;
/** Crockford's base 32: without the letters that are read for digits, or for one another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const READ_AS: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  let code = '';
  for (let digit = 0; digit < (CODE_BYTES * 8) / 5; digit += 1) {
    code += ALPHABET[Number(bits & 31n)];
    bits >>= 5n;
  }
  return code;
}

/** What is stored of a code: a hash is enough for 80 random bits that can be tried a few times an hour. */
export function recoveryCodeHash(code: string): string {
  return fingerprint(code.replace(/[OIL]/g, (letter) => READ_AS[letter] ?? letter));
}

/** A new set, as it is shown (`ABCD-EFGH-JKMN-PQRS`), and what is stored of it. */
export function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, newCode);
  const grouped = new RegExp(`.{${GROUP}}(?!$)`, 'g');
  return { shown: codes.map((code) => code.replace(grouped, '$&-')), hashes: codes.map(recoveryCodeHash) };
}
