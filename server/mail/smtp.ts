// One conversation with the mail server: it is begun with the first mail, carries one after the other, and every fault is a sentence.
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { Email } from '#contract/fields.ts';
import type { MailServer } from '../platform/mail-server.ts';
import { oneLine } from './letter.ts';
import { ADDRESS_REFUSED } from './mail-rows.ts';

const SECOND_MS = 1_000;

/** How long it is waited for each step. Tests have less patience. */
export const SMTP_TIMEOUTS = {
  dnsTimeout: 15 * SECOND_MS,
  connectionTimeout: 15 * SECOND_MS,
  greetingTimeout: 15 * SECOND_MS,
  socketTimeout: 60 * SECOND_MS,
};

/** One mail takes no longer, however slowly a server answers. */
export const ONE_MAIL_MS = 2 * 60_000;

/**
 * Whom a fault concerns: the `server`, which takes no mail now; this `conversation`, which broke in the middle of a mail, so that it
 * is not known whether another would fare better; this mail `for now`; or this mail `for good`.
 */
export type FaultOf = 'server' | 'conversation' | 'for now' | 'for good';

/** How far a conversation is: before anything is said of a mail, within one, or after the last step of it. */
type Stage = 'opening' | 'within' | 'last step';

export class MailFault extends Error {
  override readonly name = 'MailFault';
  readonly of: FaultOf;
  constructor(of: FaultOf, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.of = of;
  }

  /** Whether nothing more is said over this connection. */
  get endsConversation(): boolean {
    return this.of === 'server' || this.of === 'conversation';
  }
}

export interface OneMail {
  readonly from: string;
  readonly to: string;
  /** The finished message, headers and all. */
  readonly message: Buffer;
  /** Ends the conversation: this mail has had its time. */
  readonly signal: AbortSignal;
  /**
   * Called when all is said but the dot that makes the server take the mail. Where it rejects, the connection is ended before that,
   * and the mail is not taken.
   */
  beforeLastStep(): Promise<void>;
}

export interface Smtp {
  /** Resolves once the server has taken the mail. Throws MailFault, and whatever `beforeLastStep` throws. */
  send(mail: OneMail): Promise<void>;
  close(): void;
}

/** What nodemailer's errors tell. */
interface SmtpError extends Error {
  readonly code?: string;
  /** Of the system or of TLS, where there was one. */
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

const WORDS_MAX = 200;
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|ALTNAME/;
const CHECK_TLS = 'Check SMTP_URL: smtps:// is encrypted from the first byte, smtp:// asks for STARTTLS.';
/** Refused by a policy (RFC 3463), such as to relay for nobody: another address would fare no better. */
const POLICY = /^\d{3}[ -]5\.7\./;
const ended = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

/** What is wrong, for an Admin. */
function faultOf(error: SmtpError, { host, port }: MailServer, stage: Stage): MailFault {
  const { code = '', originalCode = '', response, responseCode = 0, command = '' } = error;
  const said = ended(oneLine(response ?? error.message, WORDS_MAX));
  const of = stage === 'opening' || command === 'MAIL FROM' ? 'server' : 'conversation';
  const server = (sentence: string) => new MailFault(of, sentence, error);
  const isOfThisMail = ['EENVELOPE', 'EMESSAGE'].includes(code) && command !== 'MAIL FROM' && responseCode !== 421;
  if (isOfThisMail && responseCode >= 500) {
    const isOfAddress = command === 'RCPT TO' && !POLICY.test(response ?? '');
    const refused = isOfAddress ? ADDRESS_REFUSED : 'The mail server refused this mail: ';
    return new MailFault('for good', refused + said, error);
  }
  if (isOfThisMail && responseCode >= 400) {
    return new MailFault('for now', `The mail server asks to try again later: ${said}`, error);
  }
  if (stage === 'last step') {
    return server(`The connection to the mail server ${host} ended before it answered. The mail may have arrived.`);
  }
  if (CERTIFICATE.test(`${code} ${originalCode}`)) {
    const advice = /ALTNAME/.test(`${code} ${originalCode}`)
      ? 'Name the server in SMTP_URL as its certificate does.'
      : 'An authority of your own is made known by NODE_EXTRA_CA_CERTS.';
    return server(`The certificate of the mail server ${host} is not valid, so nothing was sent: ${said} ${advice}`);
  }
  if (code === 'EAUTH') return server(`The mail server ${host} refused the account of SMTP_URL: ${said}`);
  if (command === 'MAIL FROM' && responseCode !== 421) {
    return server(`The mail server ${host} refused the sender of MAIL_FROM: ${said}`);
  }
  if (code === 'EDNS') return server(`The mail server ${host} was not found. Check SMTP_URL.`);
  if (code === 'ETLS' || originalCode.startsWith('ERR_SSL_')) {
    return server(`There is no encrypted connection to the mail server ${host}:${port}: ${said} ${CHECK_TLS}`);
  }
  if (code === 'ETIMEDOUT') {
    return server(
      `The mail server ${host}:${port} did not answer in time. If it stays so, check SMTP_URL and the firewall.`,
    );
  }
  if (originalCode === 'ECONNREFUSED') {
    return server(`Nothing answers at the mail server ${host}:${port}. Check SMTP_URL, and whether it runs.`);
  }
  return server(`The connection to the mail server ${host} failed: ${said}`);
}

const closed = () => Object.assign(new Error('The connection was closed'), { code: 'ECONNECTION' });
const late = () => Object.assign(new Error('It took too long'), { code: 'ETIMEDOUT' });

/** What the server answers; rejects where the connection ends before. */
async function answered(
  connection: SMTPConnection,
  ask: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // What is known of the end is told in the same turn, and says more.
  const onEnd = () => queueMicrotask(() => reject(closed()));
  connection.once('end', onEnd);
  ask((error) => (error ? reject(error) : resolve()));
  await promise.finally(() => connection.off('end', onEnd));
}

/** Begins a mail anew over another connection where the server has had enough of the one that carried others (RFC 5321 4.2). */
const overAnother = (begin: () => Promise<void>, close: () => void) => (error: SmtpError) => {
  if (error.command !== 'MAIL FROM' || error.responseCode !== 421) throw error;
  close();
  return begin();
};

export function openSmtp(server: MailServer): Smtp {
  let open: Promise<SMTPConnection> | null = null;
  let latest: SMTPConnection | null = null;

  /** Greeted, encrypted and signed in. */
  async function connect(): Promise<SMTPConnection> {
    const connection = new SMTPConnection({
      host: server.host,
      port: server.port,
      secure: server.tls === 'begins',
      requireTLS: server.tls === 'starttls',
      ignoreTLS: server.tls === 'off',
      tls: { minVersion: 'TLSv1.2' },
      ...SMTP_TIMEOUTS,
    });
    latest = connection;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // It stays: a connection that breaks between two mails is no fault of anybody's. The next mail opens another.
    connection.on('error', (error: Error) => {
      open = null;
      reject(error);
    });
    connection.once('end', () => {
      open = null;
      reject(closed());
    });
    connection.connect((error) => (error ? reject(error) : resolve()));
    await promise;
    const { account } = server;
    if (account === null) return connection;
    if (!connection.allowsAuth) {
      throw Object.assign(new Error('It asks for no account. Leave user and password out of SMTP_URL'), {
        code: 'EAUTH',
      });
    }
    const { user, password: pass } = account;
    await answered(connection, (done) => connection.login({ user, credentials: { user, pass } }, done));
    return connection;
  }

  function close(): void {
    latest?.close();
    latest = null;
    open = null;
  }

  /** After a refusal, the next mail begins anew. */
  const reset = (connection: SMTPConnection) => answered(connection, (done) => connection.reset(done)).catch(close);

  return {
    close,

    async send({ from, to, message, signal, beforeLastStep }) {
      // An address that breaks the line would be a command of its own.
      const recipient = Email.safeParse(to);
      if (!recipient.success) throw new MailFault('for good', 'This is no mail address.');
      let stage: Stage = 'opening';
      let stopped: unknown;
      async function* bytes() {
        yield message;
        try {
          await beforeLastStep();
        } catch (error) {
          stopped = error;
          throw error;
        }
        stage = 'last step';
      }
      const begin = async () => {
        // Of each try: the connection notes in it what was refused.
        const envelope = { from, to: [recipient.data], size: message.length };
        stage = 'opening';
        open ??= connect();
        const connection = await open;
        stage = 'within';
        await answered(connection, (done) => connection.send(envelope, Readable.from(bytes()), done));
      };
      signal.addEventListener('abort', close, { once: true });
      try {
        // An abort that came before is told to no listener.
        signal.throwIfAborted();
        await (open === null ? begin() : begin().catch(overAnother(begin, close)));
      } catch (error) {
        if (stopped !== undefined) {
          close();
          throw stopped;
        }
        const fault = faultOf(signal.aborted ? late() : (error as SmtpError), server, stage);
        if (fault.endsConversation || latest === null) close();
        else await reset(latest);
        throw fault;
      } finally {
        signal.removeEventListener('abort', close);
      }
    },
  };
}
