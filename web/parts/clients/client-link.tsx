// A client's name, never cut, because near twins differ at any letter; leads to its page for whoever may open that.
import { Anchor } from '@mantine/core';
import { hasClientPages } from '#contract/policy/actor.ts';
import { reachesClient } from '#contract/policy/reach.ts';
import { formatClientName } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { PageLink } from '#web/ui/page-link.ts';

export interface ClientLinkProps {
  /** Null where there is none, or none any more. */
  id: number | null;
  name: string | null;
}

export function ClientLink({ id, name }: ClientLinkProps) {
  const user = useSessionUser();
  const shown = formatClientName(name);
  if (id === null || !hasClientPages(user) || !reachesClient(user, id)) return <Breakable text={shown} />;
  return (
    <Anchor
      component={PageLink}
      to="/clients/$id"
      params={{ id: String(id) }}
      inherit
      style={{ overflowWrap: 'var(--name-wrap, anywhere)' as 'anywhere' }}
    >
      <Breakable text={shown} />
    </Anchor>
  );
}
