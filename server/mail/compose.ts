// A letter as the message that travels: headers, text and HTML.
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailAddress } from '../platform/mail-server.ts';
import type { WrittenLetter } from './letter.ts';
import { oneLine } from './letter.ts';

const NAME_MAX = 100;

export interface Addressed {
  readonly from: MailAddress;
  readonly to: MailAddress;
  readonly messageId: string;
  /** In ms since the epoch. */
  readonly writtenAt: number;
}

/** The same letter makes the same message at every try, but for the boundary between its parts. */
export function compose(
  { subject, text, html, oneClick }: WrittenLetter,
  { from, to, messageId, writtenAt }: Addressed,
): Promise<Buffer> {
  const named = ({ name, address }: MailAddress) => ({ name: oneLine(name, NAME_MAX), address });
  return new MailComposer({
    from: named(from),
    to: named(to),
    subject,
    text,
    html,
    messageId,
    date: new Date(writtenAt),
    headers: {
      // No out-of-office answers.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(oneClick === undefined
        ? {}
        : {
            // As it is: an address that is folded or encoded is none.
            'List-Unsubscribe': { prepared: true, value: `<${oneClick}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
