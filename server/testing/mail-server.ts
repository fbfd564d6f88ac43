// A real mail server on a loopback port, which takes, refuses or keeps silent as a test says, and what arrived at it.
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface Arrived {
  /** Whom the conversation named, whatever the headers say. */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: Email;
}

/** Answers with a code of SMTP: 450, 550. */
export type Refuse = (address: string) => { readonly code: number; readonly words: string } | null | Promise<null>;

export interface MailServerOptions {
  /** Encrypted from the first byte, under a certificate that nobody vouches for. */
  readonly secure?: boolean;
  /** STARTTLS is offered, under the same certificate. */
  readonly starttls?: boolean;
  /** Who may send; anybody unless given. */
  readonly account?: { readonly user: string; readonly password: string };
}

export interface TestMailServer {
  readonly port: number;
  /** A test may take out what it has read. */
  readonly arrived: Arrived[];
  /** For senders, for recipients, and for whole messages once they are there. Null takes; a promise that stays open says nothing. */
  refuseSender: Refuse;
  refuseRecipient: Refuse;
  refuseMessage: Refuse;
  /** Takes the next message and hangs up instead of saying so. */
  hangUpAfterNext(): void;
  close(): Promise<void>;
}

const refusal = ({ code, words }: { code: number; words: string }) =>
  Object.assign(new Error(words), { responseCode: code });

/** For 127.0.0.1, and good for nothing but tests: nobody vouches for it, and everybody has its key. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1X6pFk+Lji76wRrE
3uH2lJHLFniUgkpjbGNrFS6mfiehRANCAARPqmH0wIEtxiqbp/IOpWFje2hZqjOO
A3etFcevG/ASzmCJAXJ3AuHrp48Sk1JV6xFTU2wdFucvR4XiBMKRSkH0
-----END PRIVATE KEY-----
`;
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUUaSreF5Rr8t+RN1RruIzz9RSC90wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyNzIwMzg0OVoYDzIxMjYxMTAz
MjAzODQ5WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARPqmH0wIEtxiqbp/IOpWFje2hZqjOOA3etFcevG/ASzmCJAXJ3AuHr
p48Sk1JV6xFTU2wdFucvR4XiBMKRSkH0o28wbTAdBgNVHQ4EFgQUbbdoygIvKy1v
LtkUCrIHZqpsJcowHwYDVR0jBBgwFoAUbbdoygIvKy1vLtkUCrIHZqpsJcowDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDSAAwRQIgK1lbRcUCCX0xM1z5eonexcjKdquYI3+gK6HnNIVCQ74CIQDo
KtWuRKE8As3Lsf53aJ7aEGUfnDvu2BfpUKedlgmTcQ==
-----END CERTIFICATE-----
`;

/** `port` is any free one unless given. */
export async function startMailServer({ secure = false, starttls = false, account }: MailServerOptions = {}, port = 0) {
  const arrived: Arrived[] = [];
  const sockets = new Set<{ destroy(): void }>();
  let hangsUp = false;
  const server = new SMTPServer({
    secure,
    key: KEY,
    cert: TEST_CERTIFICATE,
    authOptional: account === undefined,
    disabledCommands: [...(starttls ? [] : ['STARTTLS']), ...(account === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth(auth, _session, callback) {
      if (auth.username === account?.user && auth.password === account?.password)
        return callback(null, { user: auth.username });
      return callback(refusal({ code: 535, words: '5.7.8 Authentication failed' }));
    },
    async onMailFrom({ address }, _session, callback) {
      const refused = await handle.refuseSender(address);
      return callback(refused === null ? null : refusal(refused));
    },
    async onRcptTo({ address }, _session, callback) {
      const refused = await handle.refuseRecipient(address);
      return callback(refused === null ? null : refusal(refused));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString('latin1');
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        const refused = await handle.refuseMessage(to[0] ?? '');
        if (refused !== null) return callback(refusal(refused));
        arrived.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to,
          raw,
          mail: await PostalMime.parse(Buffer.from(raw, 'latin1')),
        });
        if (!hangsUp) return callback(null);
        hangsUp = false;
        for (const socket of sockets) socket.destroy();
      });
    },
  });
  // Callers that break off are what some tests are about.
  server.on('error', () => {});
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const handle: TestMailServer = {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    refuseSender: () => null,
    refuseRecipient: () => null,
    refuseMessage: () => null,
    hangUpAfterNext() {
      hangsUp = true;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return handle;
}

/** The environment of a portal that sends its mail there. */
export const mailEnvironment = (port: number, how = 'smtp://127.0.0.1') => {
  const [url, query = ''] = how.split('?');
  return {
    SMTP_URL: `${url}:${port}${query && `?${query}`}`,
    MAIL_FROM: 'Bücher & Ledger <portal@example.com>',
    PUBLIC_ORIGIN: 'http://portal.example.com',
  };
};
