// Invitation links of several people as a file to download.
import { counted } from '#contract/plain-words.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { mailIsOn } from '#web/lib/product.ts';
import type { Keepsake } from '#web/parts/import/keepsake.tsx';

export interface Linked {
  readonly fullName: string;
  readonly username: string;
  readonly email: string;
  readonly link: string;
}

/** `until` is in words. */
export const linksKeepsake = (people: readonly Linked[], until: string): Keepsake => ({
  words: importWords.invitations(
    counted(people.length, 'user'),
    until,
    mailIsOn ? people.filter(({ email }) => email !== '').length : 0,
  ),
  label: 'Download Links',
  fileName: 'invitations.csv',
  lines: [
    ['Full Name', 'Username', 'Email', 'Invitation Link', 'Valid Until'],
    ...people.map(({ fullName, username, email, link }) => [fullName, username, email, link, until]),
  ],
});
