// For whoever finds nothing yet: how the portal works.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function ToHelp() {
  return (
    <Anchor component={Link} to="/help" fz="sm">
      How this portal works
    </Anchor>
  );
}
