// Where the act begins that shows the portal as a Client user sees it.
import type { UserRow } from '#contract/users.ts';

/** The address of the place, for a link: the user's row among all users. */
export function seeWhatClientSees({ username }: Pick<UserRow, 'username'>) {
  return { to: '/users', search: { q: username } } as const;
}
