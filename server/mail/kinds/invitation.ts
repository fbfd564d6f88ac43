// The mail that brings somebody the link by which they choose their first password.
import { z } from 'zod';
import { fingerprint } from '../../platform/secrets.ts';
import { mailKind } from '../mail-kind.ts';

export const invitationMail = mailKind({
  name: 'invitation',
  title: 'Invitation',
  facts: z.strictObject({ username: z.string(), until: z.int() }),
  async outdated({ secret, userId }, { db, at }) {
    const link = await db
      .selectFrom('invitations')
      .select('user_id')
      .where('token_hash', '=', fingerprint(secret ?? ''))
      .where('user_id', '=', userId ?? 0)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return link === undefined ? 'The invitation was used, withdrawn or replaced, or has expired.' : null;
  },
  letter: ({ facts, secret, to }, { product, link, moment }) => ({
    subject: `Your invitation to ${product}`,
    heading: `Welcome to ${product}, ${to.name}`,
    paragraphs: [
      'There is an account for you. Choose a password that only you know: you sign in with it and your username.',
    ],
    facts: [['Username', facts.username]],
    button: { label: 'Choose a Password', href: link(`/invitation#${secret}`) },
    after: [
      `The link works once, until ${moment(facts.until)}. It is for you alone: whoever opens it first chooses the password, so please do not pass this mail on.`,
      `If you do not know what ${product} is, leave the link alone: without a password nobody signs in as you.`,
    ],
  }),
});
