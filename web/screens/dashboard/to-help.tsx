// For whoever finds nothing yet: how the portal works.
import { Anchor } from '@mantine/core';
import { PageLink } from '#web/ui/page-link.ts';

export function ToHelp() {
  return (
    <Anchor component={PageLink} to="/help" fz="sm">
      How this portal works
    </Anchor>
  );
}
