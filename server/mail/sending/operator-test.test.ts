// `npm run admin -- mail test <address>` as the operator runs it: one line that says how it went, and an exit code.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { mailEnvironment, startMailServer, TEST_CERTIFICATE } from '../../testing/mail-server.ts';
import { Program } from '../../testing/program.ts';
import { ONE_MAIL_MS } from '../smtp.ts';
import { testByOperator } from './operator-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'coffer-mail-'));
const certificate = join(folder, 'certificate.pem');
writeFileSync(certificate, TEST_CERTIFICATE);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const program = new Program(['server/admin.ts', 'mail', ...words], { DATA_DIR: folder, ...environment });
  const code = await program.exit();
  return { code, said: program.out.trim(), wrong: program.err };
}

it('sends one at once, encrypted under a certificate that somebody vouches for, and needs no database', async () => {
  const server = await startMailServer({ secure: true, account: { user: 'portal', password: 'a b' } });
  const environment = mailEnvironment(server.port, 'smtps://portal:a%20b@127.0.0.1');
  const [trusted, stranger] = await Promise.all([
    run(['test', 'rosa@example.com'], { ...environment, NODE_EXTRA_CA_CERTS: certificate }),
    run(['test', 'rosa@example.com'], environment),
  ]);
  expect([trusted.code, trusted.said, trusted.wrong]).toEqual([
    0,
    'The mail server 127.0.0.1 took the test mail for rosa@example.com.',
    '',
  ]);
  expect([stranger.code, stranger.said]).toEqual([
    1,
    expect.stringMatching(/^The certificate of the mail server 127\.0\.0\.1 is not valid, so nothing was sent: /),
  ]);
  expect(server.arrived.map(({ to, mail }) => [to, mail.subject])).toEqual([
    [['rosa@example.com'], 'Test mail from Coffer'],
  ]);
  await server.close();
});

it('ends after two minutes, however slowly the server answers', async () => {
  const tooLong = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(tooLong.signal);
  const slow = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220-one moment\r\n', () => tooLong.abort());
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  const said: string[] = [];
  const config = readConfig({ DATA_DIR: folder, ...mailEnvironment(port) });
  expect(await testByOperator(config, 'rosa@example.com', (line) => said.push(line))).toBe(1);
  expect(said).toEqual([
    `The mail server 127.0.0.1:${port} did not answer in time. If it stays so, check SMTP_URL and the firewall.`,
  ]);
  expect(timeout).toHaveBeenCalledWith(ONE_MAIL_MS);
  timeout.mockRestore();
  slow.close();
});

it('says what is missing, and how it is called', async () => {
  const [off, noAddress, unknown] = await Promise.all([
    run(['test', 'rosa@example.com']),
    run(['test', 'rosa@example.com\nBcc: other@example.com']),
    run(['send', 'rosa@example.com']),
  ]);
  expect([off.code, off.said]).toEqual([
    1,
    'Mail is not set up. Set SMTP_URL, MAIL_FROM and PUBLIC_ORIGIN (docs/configuration.md).',
  ]);
  expect([noAddress.code, noAddress.said, noAddress.wrong]).toEqual([
    2,
    '',
    'This is no mail address. Write one such as rosa@example.com.\n',
  ]);
  expect([unknown.code, unknown.wrong]).toEqual([2, expect.stringContaining('mail test <address>')]);
});
