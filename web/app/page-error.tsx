// What stands in for a page that broke, or whose code could not be loaded.

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { reasonOf } from '#web/lib/api.ts';

/** After an update the code that an open tab asks for is gone; each browser words it in its own way. */
const LOST_CODE = /dynamically imported module|importing a module script failed|unable to preload css/i;

export function PageError({ error, reset }: ErrorComponentProps) {
  const lostCode = LOST_CODE.test(reasonOf(error));
  return (
    <Stack role="alert" align="center" gap="xs" py={80} px="md" ta="center">
      <Title order={2}>{lostCode ? 'This page could not be loaded' : 'Something went wrong'}</Title>
      <Text c="dimmed">
        {lostCode
          ? 'The portal may have been updated, or the connection was lost. Reload to carry on.'
          : reasonOf(error)}
      </Text>
      <Group mt="xs" gap="xs">
        {lostCode ? null : (
          <Button variant="default" onClick={reset}>
            Try again
          </Button>
        )}
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </Group>
    </Stack>
  );
}
