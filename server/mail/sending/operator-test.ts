// `npm run admin -- mail test <address>`: a test mail at once, past the outbox, so that it works without a server and a database.
import { randomUUID } from 'node:crypto';
import { Email } from '#contract/fields.ts';
import { type Config, WordsFault } from '../../config.ts';
import { faceOfServer } from '../../people/access/firm-settings.ts';
import { testMail } from '../kinds/test-mail.ts';
import { post } from '../post.ts';
import { MailFault, ONE_MAIL_MS, openSmtp } from '../smtp.ts';

const NOT_SET_UP = 'Mail is not set up. Set SMTP_URL, MAIL_FROM and PUBLIC_ORIGIN (docs/configuration.md).';

/** Returns the exit code; `say` is told in one line how it went. Throws WordsFault where `to` is no address. */
export async function testByOperator(config: Config, to: string, say: (line: string) => void): Promise<number> {
  const address = Email.safeParse(to);
  if (!address.success) throw new WordsFault(['This is no mail address. Write one such as rosa@example.com.']);
  if (config.mail === null) {
    say(NOT_SET_UP);
    return 1;
  }
  const smtp = openSmtp(config.mail.server);
  const mail = {
    facts: { orderedBy: 'The operator' },
    secret: null,
    userId: null,
    to: { name: '', address: address.data },
  };
  const messageId = `<${randomUUID()}@${config.mail.from.address.split('@')[1]}>`;
  const posting = {
    messageId,
    writtenAt: Date.now(),
    signal: AbortSignal.timeout(ONE_MAIL_MS),
    beforeLastStep: async () => {},
  };
  try {
    await post(smtp, config, { kind: testMail, mail, face: faceOfServer(config), timeZone: 'UTC' }, posting);
    say(`The mail server ${config.mail.server.host} took the test mail for ${address.data}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof MailFault)) throw error;
    say(error.message);
    return 1;
  } finally {
    smtp.close();
  }
}
