// What a kind of mail is: what it is made of, when it is not to be sent any more, and what it says. Each kind is a file in `kinds/` or `digests/`.
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { ReadScope } from '../people/access/scope.ts';
import type { Viewer } from '../people/access/viewer.ts';
import type { Schema } from '../platform/db/schema.ts';
import type { Sealer } from '../platform/sealed.ts';
import type { Letter } from './letter.ts';

/** A mail as its kind sees it when it is about to be sent. */
export interface MailToSend<Facts> {
  readonly facts: Facts;
  /** What the link in it opens with; null where it has none. */
  readonly secret: string | null;
  /** Whom it is written to, or who asked for it; null for nobody in particular. */
  readonly userId: number | null;
  readonly to: { readonly name: string; readonly address: string };
}

/** What a kind may look up before it is sent. */
export interface MailCircumstances {
  readonly db: Kysely<Schema>;
  readonly at: number;
  /** A person with today's rights; null for one who is gone. */
  readonly findPerson: (userId: number) => Promise<Viewer | null>;
  /** Opens the database as a person. */
  readonly readAs: (person: Viewer) => ReadScope;
  readonly sealer: Sealer;
}

/** What every letter may use. */
export interface LetterFrame {
  readonly product: string;
  /** The address of a page of the portal: `link('/login')`. */
  readonly link: (path: string) => string;
  /** A moment by the clock of the firm: 'January 31, 2026 at 3:00 PM EST'. */
  readonly moment: (at: number) => string;
}

export interface MailKind<Facts extends z.ZodType = z.ZodType, Contents = unknown> {
  /** As it is stored. */
  readonly name: string;
  /** What it is about, for an Admin who reads the list. */
  readonly title: string;
  /** What it is made of besides names and addresses; never a secret, which is sealed apart. */
  readonly facts: Facts;
  /** Why it is not to be sent any more, in a sentence; null where it is. */
  outdated(mail: MailToSend<z.output<Facts>>, now: MailCircumstances): Promise<string | null>;
  /** What it tells besides its facts, as of now; null where nothing of it is left. */
  contents?(mail: MailToSend<z.output<Facts>>, now: MailCircumstances): Promise<Contents | null>;
  letter(mail: MailToSend<z.output<Facts>>, frame: LetterFrame, contents: Contents): Letter;
  /** Notes what is to be known of it once the mail server has taken it, after that was said: a fault of it sends nothing again. */
  noteSent?(
    mail: MailToSend<z.output<Facts>>,
    contents: Contents,
    now: { tx: Kysely<Schema>; at: number },
  ): Promise<void>;
}

/** Ties the types of facts and contents to what uses them. */
export function mailKind<Facts extends z.ZodType, Contents = undefined>(
  kind: MailKind<Facts, Contents>,
): MailKind<Facts, Contents> {
  return kind;
}

/** The person that a mail is written to, where it still goes to their address; else why it is not to be sent. */
export async function personOf(
  { userId, to }: MailToSend<unknown>,
  { db, findPerson }: MailCircumstances,
): Promise<Viewer | string> {
  const person = userId === null ? null : await findPerson(userId);
  if (person === null) return PERSON_GONE;
  const { email } = await db.selectFrom('users').select('email').where('id', '=', person.id).executeTakeFirstOrThrow();
  return email === to.address ? person : 'The person has another mail address meanwhile.';
}

export const NOT_WANTED = 'The person does not want such mails any more.';
export const PERSON_GONE = 'The person was deleted meanwhile.';
export const NOTHING_LEFT = 'Nothing of what it tells is left for the person to see.';

/** Where Client users find the reports of all their companies and types, whichever they have chosen there. */
export const REPORTS_PAGE = '/client-reports?client=all&reportType=all';
