// Says that something is loading.
import { Group, Loader, Text } from '@mantine/core';

export function Spinner({ label }: { label: string }) {
  return (
    <Group role="status" gap="sm" justify="center" py="xl">
      <Loader size="xs" aria-hidden />
      <Text c="dimmed">{label}</Text>
    </Group>
  );
}
