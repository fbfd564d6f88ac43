// Says that something could not be loaded, why, and offers a retry.
import { Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

export interface ErrorStateProps {
  message: string;
  /** More about it, in a quieter line. */
  hint?: string | undefined;
  onRetry: () => void;
  busy?: boolean;
}

export function ErrorState({ message, hint, onRetry, busy = false }: ErrorStateProps) {
  return (
    <Stack role="alert" align="center" gap={8} py={36} px="md" ta="center">
      <Text component="span" c="var(--coffer-danger)" lh={1} aria-hidden>
        <IconAlertTriangle size={22} />
      </Text>
      <Text>{message}</Text>
      {hint ? <Text c="dimmed">{hint}</Text> : null}
      <Button variant="default" size="xs" onClick={onRetry} loading={busy}>
        Retry
      </Button>
    </Stack>
  );
}
