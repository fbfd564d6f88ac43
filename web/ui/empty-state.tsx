// Says that there is nothing to show, why, and what to do about it.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  hint?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ title, hint, icon, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap={6} py={40} px="md" ta="center">
      {icon ? (
        <Text component="span" c="dimmed" lh={1} aria-hidden mb={4}>
          {icon}
        </Text>
      ) : null}
      <Text fw={hint ? 500 : 400} c={hint ? 'var(--mantine-color-text)' : 'dimmed'}>
        {title}
      </Text>
      {hint ? <Text c="dimmed">{hint}</Text> : null}
      {action}
    </Stack>
  );
}
