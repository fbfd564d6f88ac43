// The job that sends mails: one after the other over one connection, for as long as some are due.
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { FirmFace } from '../../people/access/firm-settings.ts';
import type { Scopes } from '../../people/access/scope.ts';
import type { Viewer } from '../../people/access/viewer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { jobKind } from '../../platform/jobs/kinds.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { readUsual } from '../digests/choices.ts';
import { NOTHING_LEFT } from '../mail-kind.ts';
import {
  type ClaimedMail,
  claimMail,
  endDropped,
  endFailed,
  endSent,
  handBack,
  hasDueMails,
  noteLastStep,
  waitAgain,
  waitBeforeRetry,
} from '../mail-rows.ts';
import { sealedFor } from '../outbox.ts';
import { post } from '../post.ts';
import { MailFault, openSmtp, type Smtp } from '../smtp.ts';
import { kindOfMail } from './kinds.ts';

/** One mail takes no longer, however slowly a server answers. */
export const ONE_MAIL_MS = 2 * 60_000;

export interface MailStores {
  readonly database: Database;
  readonly now: () => number;
  readonly clock: Clock;
  readonly config: Pick<Config, 'mail' | 'publicOrigin'>;
  readonly sealer: Sealer;
  readonly face: Pick<FirmFace, 'get'>;
  readonly findPerson: (userId: number) => Promise<Viewer | null>;
  readonly scopes: Pick<Scopes, 'read'>;
}

/** Another process has taken the mail over: this one must not send it. */
class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

export function sendMailsJob(stores: MailStores) {
  const { database, now, config } = stores;
  return jobKind({
    title: 'Send mails',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: 3,
    retryAfterMs: 60_000,
    atOnce: 1,
    isWanted: async () => config.mail !== null && (await hasDueMails(database, now())),
    async run({ signal }) {
      if (config.mail === null) return;
      const smtp = openSmtp(config.mail.server);
      try {
        while (!signal.aborted) {
          const mail = await database.transaction((tx) => claimMail(tx, now()));
          if (mail === null || !(await sendOne(mail, smtp, signal, stores))) return;
        }
      } finally {
        smtp.close();
      }
    },
  });
}

/** False where the next mail would fare no better now. */
async function sendOne(claimed: ClaimedMail, smtp: Smtp, signal: AbortSignal, stores: MailStores): Promise<boolean> {
  const { database, now } = stores;
  const settle = (how: (tx: Parameters<typeof endSent>[0], at: number) => Promise<void>) =>
    database.transaction((tx) => how(tx, now()));
  try {
    const outcome = await sendUnlessOutdated(claimed, smtp, signal, stores);
    await settle(async (tx, at) => {
      if ('outdated' in outcome) return endDropped(tx, claimed, outcome.outdated, at);
      if (await endSent(tx, claimed, at)) await outcome.noteSent(tx, at);
    });
    return true;
  } catch (error) {
    if (error instanceof TakenOver) return true;
    if (signal.aborted) {
      await settle((tx, at) => handBack(tx, claimed, at));
      return false;
    }
    const fault = error instanceof MailFault ? error : new MailFault('for now', (error as Error).message, error);
    await settle(async (tx, at) => {
      const dueAt = at + waitBeforeRetry(claimed.attempts);
      if (fault.of === 'for good') return endFailed(tx, claimed, fault.message, at);
      if (dueAt > claimed.give_up_at) return endFailed(tx, claimed, `Given up after three days. ${fault.message}`, at);
      await waitAgain(tx, claimed, fault.message, dueAt);
    });
    // A fault of the program is one of the job, too.
    if (fault !== error) throw error;
    return fault.of !== 'server';
  }
}

/** Why it was not to be sent, or what is to be noted of it now. */
type Outcome =
  | { readonly outdated: string }
  | { readonly noteSent: (tx: Parameters<typeof endSent>[0], at: number) => Promise<void> };

/** Throws MailFault. */
async function sendUnlessOutdated(
  claimed: ClaimedMail,
  smtp: Smtp,
  signal: AbortSignal,
  { database, now, clock, config, sealer, face, findPerson, scopes }: MailStores,
): Promise<Outcome> {
  const kind = kindOfMail(claimed.kind);
  if (kind === undefined) throw new MailFault('for good', 'Only another version of the program knows what it says.');
  const { sealed, message_id: messageId } = claimed;
  const mail = {
    facts: kind.facts.parse(JSON.parse(claimed.facts)),
    secret: sealed === null ? null : String(await sealer.open(sealed, sealedFor(messageId))),
    userId: claimed.user_id,
    to: { name: claimed.to_name, address: claimed.to_address },
  };
  const circumstances = { db: database.reader, at: now(), findPerson, readAs: scopes.read, sealer };
  const outdated = await kind.outdated(mail, circumstances);
  if (outdated !== null) return { outdated };
  const contents = await kind.contents?.(mail, circumstances);
  if (contents === null) return { outdated: NOTHING_LEFT };
  const slow = new AbortController();
  const endWait = clock.after(ONE_MAIL_MS, () => slow.abort());
  try {
    await post(
      smtp,
      config,
      { kind, mail, contents, face: await face.get(), timeZone: (await readUsual(database.reader)).timeZone },
      {
        messageId,
        writtenAt: claimed.created_at,
        signal: AbortSignal.any([signal, slow.signal]),
        async beforeLastStep() {
          if (!(await database.transaction((tx) => noteLastStep(tx, claimed, now())))) {
            throw new TakenOver(`Mail ${claimed.id} was taken over`);
          }
        },
      },
    );
    return { noteSent: async (tx, at) => kind.noteSent?.(mail, contents, { tx, at }) };
  } finally {
    endWait();
  }
}
