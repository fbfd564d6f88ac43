// The place of prepared ZIPs in the header: nothing, and no code, for whoever has none.
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { mayAttempt } from '#contract/policy.ts';
import { archivesQuery } from '#web/data/archives.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { lazyScreen } from './lazy-screen.tsx';

const button = lazyScreen(async () => (await import('./prepared-zips/prepared-zips-button.tsx')).PreparedZipsButton);

export function PreparedZips() {
  const user = useSessionUser();
  const { data } = useQuery({ ...archivesQuery, enabled: mayAttempt(user, 'archives.use') });
  const [had, setHad] = useState(false);
  if (data?.rows.length && !had) setHad(true);
  // Also after the last one was removed: the list is open then.
  return data && had ? (
    <Suspense>
      <button.Screen rows={data.rows} />
    </Suspense>
  ) : null;
}
