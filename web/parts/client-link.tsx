// A client's name, which leads to its page for whoever may open that.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { hasClientPages, reachesClient } from '#contract/policy.ts';
import { formatClientName } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { CutName, wholeName } from '#web/ui/cut-name.tsx';

export interface ClientLinkProps {
  /** Null where there is none, or none any more. */
  id: number | null;
  name: string | null;
}

export function ClientLink({ id, name }: ClientLinkProps) {
  const user = useSessionUser();
  const shown = formatClientName(name);
  if (id === null || !hasClientPages(user) || !reachesClient(user, id)) return <CutName text={shown} />;
  return (
    <Anchor
      component={Link}
      to="/clients/$id"
      params={{ id: String(id) } as never}
      inherit
      aria-label={wholeName(shown)}
      style={{ overflowWrap: 'anywhere' }}
    >
      <CutName text={shown} />
    </Anchor>
  );
}
