// What is deleted together with a client, in words.
import type { ClientRemoval } from './clients.ts';
import { counted } from './plain-words.ts';

/** '2 files and 1 user', 'all its files and 1 user'; `count` writes a number with its noun. */
export function removalWords(
  { files, users }: Pick<ClientRemoval, 'files' | 'users'>,
  count: typeof counted = counted,
): string {
  const fileWords = files === null ? 'all its files' : count(files, 'file');
  return `${fileWords} and ${users === null ? 'all its users' : count(users, 'user')}`;
}
