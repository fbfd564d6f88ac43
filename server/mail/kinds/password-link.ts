// The mail that brings the link by which somebody chooses another password who has forgotten theirs.
import { z } from 'zod';
import { fingerprint } from '../../platform/secrets.ts';
import { mailKind, personOf } from '../mail-kind.ts';

export const passwordLinkMail = mailKind({
  name: 'password-link',
  title: 'Link for a new password',
  facts: z.strictObject({ username: z.string(), until: z.int() }),
  async outdated(mail, now) {
    const { secret, userId } = mail;
    const { db, at } = now;
    const link = await db
      .selectFrom('password_links')
      .select('user_id')
      .where('token_hash', '=', fingerprint(secret ?? ''))
      .where('user_id', '=', userId ?? 0)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    if (link === undefined) return 'The link was used or replaced, or has expired.';
    // To nobody's former address, whatever became of the link.
    const person = await personOf(mail, now);
    return typeof person === 'string' ? person : null;
  },
  letter: ({ facts, secret, to }, { product, link, moment }) => ({
    subject: `A new password for ${product}`,
    heading: 'Choose a new password',
    paragraphs: [
      `${to.name}, somebody has asked ${product} for a new password for your account. If it was you, choose one now.`,
    ],
    facts: [['Username', facts.username]],
    button: { label: 'Choose a New Password', href: link(`/new-password#${secret}`) },
    after: [
      `The link works once, until ${moment(facts.until)}. When you have chosen a password, you are signed out everywhere else.`,
      'If it was not you, nothing needs to be done: your password stays as it is.',
    ],
  }),
});
