// Mails are written in the transaction of the act they tell of, and sent by a job: a mail exists exactly when its act has committed.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Schema } from '../platform/db/schema.ts';
import type { Sealer } from '../platform/sealed.ts';
import type { MailKind } from './mail-kind.ts';
import { insertMail } from './mail-rows.ts';

export interface NewMail<Facts extends z.ZodType> {
  readonly to: { readonly name: string; readonly address: string };
  /** Whom it is written to, or who asked for it: it is not sent once that person is gone. */
  readonly userId: number | null;
  readonly facts: z.input<Facts>;
  /** What a link in it opens with: stored sealed, and gone with the sending. */
  readonly secret?: string;
}

export interface Outbox {
  /** Whether mail is set up. Where it is not, nothing is written. */
  readonly isOn: boolean;
  /** Writes a mail in the transaction of its act; returns its id, or null where mail is not set up or nobody's address is given. */
  write<Facts extends z.ZodType>(
    tx: Kysely<Schema>,
    kind: MailKind<Facts>,
    mail: NewMail<Facts>,
    at: number,
  ): Promise<number | null>;
}

/** For what purpose the secret of the mail with this Message-ID is sealed. */
export const sealedFor = (messageId: string) => `mail ${messageId}`;

export function openOutbox(config: Pick<Config, 'mail'>, sealer: Sealer): Outbox {
  const { mail: setUp } = config;
  return {
    isOn: setUp !== null,
    async write(tx, kind, { to, userId, facts, secret }, at) {
      if (setUp === null || to.address === '') return null;
      // The same at every try, so that a mailbox can tell that it has the mail already.
      const messageId = `<${randomUUID()}@${setUp.from.address.split('@')[1]}>`;
      return insertMail(tx, {
        kind: kind.name,
        userId,
        toName: to.name,
        toAddress: to.address,
        facts: JSON.stringify(kind.facts.parse(facts)),
        sealed: secret === undefined ? null : await sealer.seal(Buffer.from(secret), sealedFor(messageId)),
        messageId,
        at,
      });
    },
  };
}
