// The mails by which a person learns what was done with their account, so that whoever did not do it themselves notices.
import { z } from 'zod';
import { mailKind, PERSON_GONE } from '../mail-kind.ts';

const words = {
  'new-device': {
    subject: 'A sign-in from a new device',
    said: (username: string) =>
      `Somebody has signed in as ${username} on a device that was not used in the last 90 days.`,
  },
  password: {
    subject: 'Your password was changed',
    said: (username: string) => `The password of your account ${username} was changed.`,
  },
  // Written by versions before this one.
  'second-factor': {
    subject: 'Your second factor was changed',
    said: (username: string) => `The second factor of your account ${username}, which confirms sign-ins, was changed.`,
  },
  'second-factor-added': {
    subject: 'A second factor was added',
    said: (username: string) => `A second factor was added to your account ${username}. It can confirm sign-ins now.`,
  },
  'second-factor-removed': {
    subject: 'A second factor was removed',
    said: (username: string) =>
      `A second factor was removed from your account ${username}. It can no longer confirm sign-ins.`,
  },
  'second-factor-reset': {
    subject: 'Your second factors were reset',
    said: (username: string) =>
      `All second factors of your account ${username} were removed. You set up a new one when you sign in next.`,
  },
  'recovery-codes': {
    subject: 'New recovery codes were made',
    said: (username: string) =>
      `New recovery codes were made for your account ${username}. The ones before are no longer good.`,
  },
  'address-to': {
    subject: 'Your mail address was changed',
    said: (username: string) => `Mails about your account ${username} come to this address from now on.`,
  },
  'address-from': {
    subject: 'Your mail address was changed',
    said: (username: string) => `Mails about your account ${username} no longer come to this address.`,
  },
} as const;

export type AccountChange = keyof typeof words;

/** What stands before the detail: of a second factor it is the factor itself. */
const DETAIL_LABELS: Partial<Record<AccountChange, string>> = { 'new-device': 'Confirmed with', password: 'How' };

export const accountChangeMail = mailKind({
  name: 'account-change',
  title: 'Notice about an account',
  facts: z.strictObject({
    what: z.enum(Object.keys(words) as [AccountChange, ...AccountChange[]]),
    username: z.string(),
    at: z.int(),
    /** Who did it, where it was not the person. */
    by: z.string().nullable(),
    /** With which device and from where, where it was the person, or somebody in their name. */
    device: z.string().nullable(),
    address: z.string().nullable(),
    /** What exactly: the name of a passkey, or that a link was used. */
    detail: z.string().nullable(),
  }),
  // To the address that the person had then: whoever takes an account over may change it next.
  outdated: async ({ userId }, { findPerson }) =>
    userId !== null && (await findPerson(userId)) === null ? PERSON_GONE : null,
  letter: ({ facts: { what, username, at, by, device, address, detail }, to }, { product, link, moment }) => ({
    subject: `${product}: ${words[what].subject}`,
    heading: words[what].subject,
    paragraphs: [`${to.name}, this is about your account in ${product}.`, words[what].said(username)],
    facts: [
      ...(detail === null ? [] : [[DETAIL_LABELS[what] ?? 'What', detail] as const]),
      ['When', moment(at)],
      ...(by === null ? [] : [['By', by] as const]),
      ...(device === null ? [] : [['Device', device] as const]),
      ...(address === null ? [] : [['Network address', address] as const]),
    ],
    button: { label: 'Look at Your Account', href: link('/account-settings') },
    after: [
      by === null
        ? 'If this was you, nothing needs to be done. If not, choose another password at once, and tell your firm.'
        : 'If you did not expect this, ask your firm.',
    ],
  }),
});
