// The page for addresses that lead nowhere.
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <Stack align="center" gap="xs" py={80} px="md" ta="center">
      <Title order={2}>404 Page Not Found</Title>
      <Text c="dimmed">Did you forget to add the page to the router?</Text>
      <Anchor component={Link} to="/" mt="xs">
        Go to the Dashboard
      </Anchor>
    </Stack>
  );
}
