// Writes a mail out and hands it to the mail server.

import type { Config } from '../config.ts';
import type { Face } from '../people/access/firm-settings.ts';
import { compose } from './compose.ts';
import { momentWords, writeLetter } from './letter.ts';
import type { LetterFrame, MailKind, MailToSend } from './mail-kind.ts';
import type { Smtp } from './smtp.ts';

type MailConfig = Pick<Config, 'mail' | 'publicOrigin'>;

/** What every letter may use; throws where mail is not set up, which the configuration rules out. */
function frameOf({ publicOrigin }: MailConfig, { name }: Face, timeZone: string): LetterFrame {
  if (publicOrigin === undefined) throw new Error('Mail is set up without PUBLIC_ORIGIN');
  return { product: name, link: (path) => publicOrigin + path, moment: (at) => momentWords(at, timeZone) };
}

export interface Posting {
  readonly messageId: string;
  readonly writtenAt: number;
  readonly signal: AbortSignal;
  readonly beforeLastStep: () => Promise<void>;
}

export interface Post<Facts> {
  readonly kind: MailKind;
  readonly mail: MailToSend<Facts>;
  /** What its kind has looked up; absent where it looks nothing up. */
  readonly contents?: unknown;
  /** Whose letter it is. */
  readonly face: Face;
  /** That of the firm. */
  readonly timeZone: string;
}

/** Resolves once the server has taken it; throws MailFault. */
export async function post<Facts>(
  smtp: Smtp,
  config: MailConfig,
  { kind, mail, contents, face, timeZone }: Post<Facts>,
  { messageId, writtenAt, signal, beforeLastStep }: Posting,
): Promise<void> {
  if (config.mail === null) throw new Error('Mail is not set up');
  const { from } = config.mail;
  const letter = writeLetter(kind.letter(mail, frameOf(config, face, timeZone), contents), face);
  const message = await compose(letter, {
    from: { name: from.name || face.name, address: from.address },
    to: mail.to,
    messageId,
    writtenAt,
  });
  await smtp.send({ from: from.address, to: mail.to.address, message, signal, beforeLastStep });
}
