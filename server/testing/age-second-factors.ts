// Ages second factors in the database of a running server, for tests that cannot move its clock.
import { DatabaseSync } from 'node:sqlite';

/** Every session must show its second factor again, and no code counts as used. `path`: a server's database file on SQLite. */
export function ageSecondFactors(path: string): void {
  const file = new DatabaseSync(path, { timeout: 5_000 });
  file.exec('update sessions set stepped_up_at = 1 where stepped_up_at is not null');
  file.exec('update totp_secrets set last_step = 0');
  file.close();
}
