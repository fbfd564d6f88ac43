// How long a backup takes: the first one of a firm, one that has little to copy, reading it again, and a restore.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { runBackup, runVerify } from '#server/backup/backup-command.ts';
import { runRestore } from '#server/backup/restore-command.ts';
import { type Config, readConfig } from '#server/config.ts';
import { encryptionOf } from '#server/platform/blobs/encryption/firm-keys.ts';
import { openBlobStore, parseBlobUrl } from '#server/platform/blobs/open-blob-store.ts';
import { openDatabase } from '#server/platform/db/connect.ts';
import type { Engine } from './engines.ts';
import { Broken } from './load.ts';
import { mark, megabytes, sayTable } from './report.ts';
import type { Settings } from './settings.ts';

const FILE_BYTES = 1_000_000;
const AT_ONCE = 8;
const NEW_FILES = 100;
/** Ten gigabytes within ten minutes. */
const MS_A_GIGABYTE = 60_000;

/** Files that no list shows, which a backup has to copy all the same. */
async function addFiles(config: Config, count: number): Promise<void> {
  const database = await openDatabase(config.databaseUrl);
  await database.migrate();
  const store = await openBlobStore(parseBlobUrl(config.blobUrl), { encryption: await encryptionOf(config, database) });
  const bytes = randomBytes(FILE_BYTES);
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const own = Buffer.from(bytes);
      randomBytes(16).copy(own);
      const staged = await store.stage(Readable.from([own]), { maxBytes: FILE_BYTES, expectedBytes: FILE_BYTES });
      const storage_key = await staged.publish();
      const row = {
        storage_key,
        size_bytes: FILE_BYTES,
        sha256: staged.sha256,
        state: 'live',
        purpose: 'file',
      } as const;
      await database.transaction((tx) =>
        tx
          .insertInto('blobs')
          .values({ ...row, created_at: 1, key_version: 1 })
          .execute(),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await store.close();
  await database.close();
}

async function timed(act: (tell: (line: string) => void) => Promise<number>): Promise<number> {
  const lines: string[] = [];
  const startedAt = performance.now();
  const code = await act((line) => lines.push(line));
  if (code !== 0) throw new Broken(lines.join('\n'));
  return performance.now() - startedAt;
}

export async function measureBackup(engine: Engine, folder: string, { backupBytes }: Settings): Promise<void> {
  const dataDir = join(folder, 'firm');
  const databaseUrl = await engine.createDatabase(dataDir);
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  await addFiles(config, Math.ceil(backupBytes / FILE_BYTES));
  const to = join(folder, 'backups');
  const backUp = () => timed((tell) => runBackup(config, to, { withKeys: false }, tell));
  const first = await backUp();
  await addFiles(config, NEW_FILES);
  const second = await backUp();
  const verified = await timed((tell) => runVerify(to, tell));
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  const place = readConfig({ DATA_DIR: elsewhere, DATABASE_URL: await engine.createDatabase(elsewhere) });
  for (const key of ['keyFile', 'secretsKeyFile'] as const) {
    if (existsSync(config[key]))
      await copyFile(config[key], join(dirname(place[key]), key === 'keyFile' ? 'files.keys' : 'secrets.key'));
  }
  const restored = await timed((tell) => runRestore(place, to, undefined, tell));
  const allowed = (backupBytes / 1e9) * MS_A_GIGABYTE;
  const row = (what: string, ms: number, target: string, reached: string) => [
    what,
    (ms / 1_000).toFixed(1),
    megabytes(backupBytes / (ms / 1_000)),
    target,
    reached,
  ];
  sayTable(
    `Backup on ${engine.title}: ${megabytes(backupBytes)} in files of 1 MB`,
    ['', 's', 'a second', 'target, s', ''],
    [
      row('the first one', first, `< ${allowed / 1_000}`, mark(first < allowed)),
      row(`one with ${NEW_FILES} new files`, second, '', ''),
      row('verify', verified, '', ''),
      row('restore', restored, `< ${allowed / 1_000}`, mark(restored < allowed)),
    ],
  );
}
