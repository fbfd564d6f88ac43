// Replaces a page or a part of it that this person may not see: says so, and how to change it.
import { Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface AccessRefusedProps {
  /** In place of the general sentence. */
  message?: string;
  action?: ReactNode;
}

export function AccessRefused({ message, action }: AccessRefusedProps) {
  return (
    <Stack role="status" align="center" gap={6} py={56} px="md" ta="center">
      <Text component="span" c="dimmed" lh={1} aria-hidden mb={4}>
        <IconLock size={24} stroke={1.6} />
      </Text>
      <Text fw={500}>{message ?? 'You do not have permission to see this.'}</Text>
      <Text c="dimmed">Please ask an administrator of your firm if you need it.</Text>
      {action}
    </Stack>
  );
}
