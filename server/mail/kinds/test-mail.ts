// The mail by which an Admin sees that mail arrives.
import { z } from 'zod';
import { mayAttempt } from '#contract/policy.ts';
import { mailKind, PERSON_GONE } from '../mail-kind.ts';

export const testMail = mailKind({
  name: 'test',
  title: 'Test mail',
  facts: z.strictObject({ orderedBy: z.string() }),
  async outdated({ userId }, { findPerson }) {
    // Ordered by the operator, who needs no account.
    if (userId === null) return null;
    const person = await findPerson(userId);
    if (person === null) return PERSON_GONE;
    return mayAttempt(person, 'mail.manage') ? null : 'Who asked for it may not do so any more.';
  },
  letter: ({ facts }, { product, link }) => ({
    subject: `Test mail from ${product}`,
    heading: 'Mail works',
    paragraphs: [
      `${facts.orderedBy} has asked ${product} for this mail, to see whether mail arrives.`,
      'Nothing needs to be done.',
    ],
    button: { label: `Open ${product}`, href: link('/') },
  }),
});
