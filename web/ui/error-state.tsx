// Something could not be had: why, and a way to try again.
import { Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

export interface ErrorStateProps {
  message: string;
  onRetry: () => void;
  busy?: boolean;
}

export function ErrorState({ message, onRetry, busy = false }: ErrorStateProps) {
  return (
    <Stack role="alert" align="center" gap={8} py={36} px="md" ta="center">
      <Text component="span" c="var(--house-danger)" lh={1} aria-hidden>
        <IconAlertTriangle size={22} />
      </Text>
      <Text>{message}</Text>
      <Button variant="default" size="xs" onClick={onRetry} loading={busy}>
        Retry
      </Button>
    </Stack>
  );
}
