// The job that sends mails: one after the other over one connection, for as long as some are due.
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { FirmFace } from '../../people/access/firm-settings.ts';
import type { Scopes } from '../../people/access/scope.ts';
import type { Viewer } from '../../people/access/viewer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { jobKind, type RunningJob } from '../../platform/jobs/kinds.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { readUsual } from '../digests/choices.ts';
import { NOTHING_LEFT } from '../mail-kind.ts';
import {
  type ClaimedMail,
  claimMail,
  endDropped,
  endFailed,
  endSent,
  givenUp,
  handBack,
  hasDueMails,
  noteLastStep,
  serverIsBack,
  triesOfServer,
  waitAgain,
  waitBeforeRetry,
  waitForServer,
} from '../mail-rows.ts';
import { sealedFor } from '../outbox.ts';
import { post } from '../post.ts';
import { MailFault, ONE_MAIL_MS, openSmtp, type Smtp } from '../smtp.ts';
import { kindOfMail } from './kinds.ts';

/** The waits between the tries to note that a mail was taken. With the longest that each try may take it is less than a claim. */
const NOTE_AGAIN_MS = [100, 1_000, 5_000, 15_000];

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
    resumes: true,
    isWanted: async () => config.mail !== null && (await hasDueMails(database, now())),
    async run({ signal, passOver }) {
      if (config.mail === null) return;
      const smtp = openSmtp(config.mail.server);
      try {
        while (!signal.aborted) {
          const mail = await database.transaction((tx) => claimMail(tx, now()));
          if (mail === null || !(await sendOne(mail, smtp, { signal, passOver }, stores))) return;
        }
      } finally {
        smtp.close();
      }
    },
  });
}

type Run = Pick<RunningJob<unknown>, 'signal' | 'passOver'>;

/** False where the next mail would fare no better now. */
async function sendOne(claimed: ClaimedMail, smtp: Smtp, run: Run, stores: MailStores): Promise<boolean> {
  const { database, now } = stores;
  const { signal } = run;
  const settle = (how: (tx: Tx, at: number) => Promise<void>) => database.transaction((tx) => how(tx, now()));
  const step = { isLast: false };
  let noteSent: NoteSent;
  try {
    const outcome = await sendUnlessOutdated(claimed, smtp, signal, step, stores);
    if ('outdated' in outcome) {
      await settle((tx, at) => endDropped(tx, claimed, outcome.outdated, at));
      return true;
    }
    ({ noteSent } = outcome);
  } catch (error) {
    if (error instanceof TakenOver) return true;
    if (signal.aborted && !step.isLast) {
      await settle((tx, at) => handBack(tx, claimed, at));
      return false;
    }
    const fault = error instanceof MailFault ? error : new MailFault('for now', (error as Error).message, error);
    await settle((tx, at) => endTry(tx, claimed, fault, at, database));
    // A fault of the program is one of the job, too.
    if (fault !== error) throw error;
    return !fault.endsConversation;
  }
  await noteTaken(claimed, noteSent, run, stores);
  return true;
}

/** Notes what becomes of a mail that was not taken, and of those that would fare alike. */
async function endTry(
  tx: Tx,
  claimed: ClaimedMail,
  { of, message }: MailFault,
  at: number,
  database: Database,
): Promise<void> {
  if (of === 'for good') return endFailed(tx, claimed, message, at);
  if (of === 'server') await database.serialize(tx, 'mails');
  const tries = of === 'server' ? await triesOfServer(tx, claimed, message) : claimed.attempts;
  const dueAt = at + waitBeforeRetry(tries);
  if (of === 'server') await waitForServer(tx, message, dueAt, at);
  if (dueAt > claimed.give_up_at) return endFailed(tx, claimed, givenUp(message), at);
  await waitAgain(tx, claimed, message, dueAt);
}

/** Of a mail that the server took: in any other state than sent it would be sent again. */
async function noteTaken(
  claimed: ClaimedMail,
  noteSent: NoteSent,
  { passOver }: Run,
  stores: MailStores,
): Promise<void> {
  const { database, now } = stores;
  const at = now();
  if (!(await keepSent(claimed, at, stores))) return;
  try {
    await database.transaction(async (tx) => {
      await database.serialize(tx, 'mails');
      await serverIsBack(tx, at);
      await noteSent(tx, at);
    });
  } catch (error) {
    passOver(error, `what follows from mail ${claimed.id}`);
  }
}

/** False where another process has taken the mail over. Where the database stays away, the mail is left as by a process that was killed. */
async function keepSent(claimed: ClaimedMail, at: number, stores: MailStores, tries = 0): Promise<boolean> {
  try {
    return await stores.database.transaction((tx) => endSent(tx, claimed, at));
  } catch (error) {
    const waitMs = NOTE_AGAIN_MS[tries];
    if (waitMs === undefined) throw error;
    const { promise, resolve } = Promise.withResolvers<void>();
    stores.clock.after(waitMs, resolve, { ref: true });
    await promise;
    return keepSent(claimed, at, stores, tries + 1);
  }
}

type Tx = Parameters<typeof endSent>[0];
type NoteSent = (tx: Tx, at: number) => Promise<void>;

/** Why it was not to be sent, or what is to be noted of it now. */
type Outcome = { readonly outdated: string } | { readonly noteSent: NoteSent };

/** Throws MailFault. `step` says whether the last one was taken: from there on the answer is awaited though the process ends, since the mail may have arrived. */
async function sendUnlessOutdated(
  claimed: ClaimedMail,
  smtp: Smtp,
  signal: AbortSignal,
  step: { isLast: boolean },
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
  const conversation = new AbortController();
  const end = () => conversation.abort();
  const endWait = clock.after(ONE_MAIL_MS, end);
  signal.addEventListener('abort', end, { once: true });
  // An abort that came before is told to no listener.
  if (signal.aborted) end();
  try {
    await post(
      smtp,
      config,
      { kind, mail, contents, face: await face.get(), timeZone: (await readUsual(database.reader)).timeZone },
      {
        messageId,
        writtenAt: claimed.created_at,
        signal: conversation.signal,
        async beforeLastStep() {
          if (!(await database.transaction((tx) => noteLastStep(tx, claimed, now())))) {
            throw new TakenOver(`Mail ${claimed.id} was taken over`);
          }
          if (conversation.signal.aborted) return;
          signal.removeEventListener('abort', end);
          step.isLast = true;
        },
      },
    );
    return { noteSent: async (tx, at) => kind.noteSent?.(mail, contents, { tx, at }) };
  } finally {
    endWait();
    signal.removeEventListener('abort', end);
  }
}
