// Writes a mail out and hands it to the mail server.
import type { Face } from '../access/firm-settings.ts';
import type { Config } from '../config.ts';
import { compose } from './compose.ts';
import { writeLetter } from './letter.ts';
import type { LetterFrame, MailKind, MailToSend } from './mail-kind.ts';
import type { Smtp } from './smtp.ts';

type MailConfig = Pick<Config, 'mail' | 'publicOrigin'>;

/** What every letter may use; throws where mail is not set up, which the configuration rules out. */
function frameOf({ publicOrigin }: MailConfig, { name }: Face): LetterFrame {
  if (publicOrigin === undefined) throw new Error('Mail is set up without PUBLIC_ORIGIN');
  return { product: name, link: (path) => publicOrigin + path };
}

export interface Posting {
  readonly messageId: string;
  readonly writtenAt: number;
  readonly signal: AbortSignal;
  readonly beforeLastStep: () => Promise<void>;
}

/** Resolves once the server has taken it; throws MailFault. `face` is whose letter it is. */
export async function post<Facts>(
  smtp: Smtp,
  config: MailConfig,
  { kind, mail, face }: { readonly kind: MailKind; readonly mail: MailToSend<Facts>; readonly face: Face },
  { messageId, writtenAt, signal, beforeLastStep }: Posting,
): Promise<void> {
  if (config.mail === null) throw new Error('Mail is not set up');
  const { from } = config.mail;
  const letter = writeLetter(kind.letter(mail, frameOf(config, face)), face);
  const message = await compose(letter, {
    from: { name: from.name || face.name, address: from.address },
    to: mail.to,
    messageId,
    writtenAt,
  });
  await smtp.send({ from: from.address, to: mail.to.address, message, signal, beforeLastStep });
}
