// What is deleted together with a client, in words.
import type { ClientRemoval } from './clients.ts';
import { counted } from './plain-words.ts';

/** '2 files and 1 user', 'all its files and 1 user'. */
export function removalWords({ files, users }: Pick<ClientRemoval, 'files' | 'users'>): string {
  const fileWords = files === null ? 'all its files' : counted(files, 'file');
  return `${fileWords} and ${users === null ? 'all its users' : counted(users, 'user')}`;
}
