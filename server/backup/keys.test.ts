// The keys of a firm, which its backup does not hold unless asked: what a restore says of them.
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KeyFile } from '../platform/blobs/encryption/master-keys.ts';
import { backup, backupDrill, KEYS, restore } from '../testing/backup-drill.ts';
import { PASSWORD } from '../testing/firm.ts';

const { sourceOf, emptyPlace, backedUp, start } = backupDrill();

it('G83: a firm without its keys, or with others, is restored, and what is wrong is said; with them in the backup it is whole', async () => {
  const source = await sourceOf('sqlite');
  const to = await backedUp(source.config);
  const place = await emptyPlace('sqlite', source, []);
  const { code, said } = await restore(place, to);
  expect(code).toBe(1);
  expect(said).toContain(`It belongs at ${join(place['DATA_DIR'] ?? '', 'files.keys')}: without it no server starts`);
  expect(said).toContain(
    `SECRETS_KEY_FILE: the key is missing. Put the copy of it back. It belongs at ${join(place['DATA_DIR'] ?? '', 'secrets.key')}`,
  );

  const mistaken = await emptyPlace('sqlite', source, []);
  const [files = '', secrets = ''] = KEYS.map((name) => join(mistaken['DATA_DIR'] ?? '', name));
  await new KeyFile(files).make();
  writeFileSync(secrets, randomBytes(32));
  const others = await restore(mistaken, to);
  expect(others.code).toBe(1);
  expect(others.said).toContain(
    `is not the one that the files of this firm are encrypted under. Put the right one back. It belongs at ${files}`,
  );
  expect(others.said).toContain(
    `SECRETS_KEY_FILE: this is not the key of this database. Put the right one back. It belongs at ${secrets}`,
  );

  const given = { ...(await emptyPlace('sqlite', source, [])), BLOB_KEYS: `1:${randomBytes(32).toString('base64')}` };
  const fromSetting = await restore(given, to);
  expect(fromSetting.code).toBe(1);
  expect(fromSetting.said).toContain('Put the right one back. It belongs in BLOB_KEYS: without it no server starts');

  const withKeys = await backup(source.config, to, true);
  expect(withKeys.said).toContain('files.keys and secrets.key are in the backup: whoever can read it can read every');
  expect((await backup(source.config, to)).said).toContain('keys/ there was left by an earlier --with-keys');
  const whole = await emptyPlace('sqlite', source, []);
  expect((await restore(whole, to)).code).toBe(0);
  for (const name of KEYS) {
    const path = join(whole['DATA_DIR'] ?? '', name);
    expect(readFileSync(path)).toEqual(readFileSync(join(source.config.dataDir, name)));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  // Who has an authenticator app signs in by it.
  const { anonymous } = await start({ ...whole, SAFEGUARDS: 'on' });
  const { body } = await anonymous.post<{ challenge: { token: string } }>('/api/auth/login', {
    username: 'listless',
    password: PASSWORD,
  });
  const factor = { method: 'totp', code: source.codeApp.code() };
  const shown = await anonymous.post('/api/auth/second-factor', { challenge: body.challenge.token, factor });
  expect(shown.status).toBe(200);
});
