// Below a field of an upload that fills the files without one of their own: how many keep theirs, and the act that takes it for all.

import { Button, Group, Text } from '@mantine/core';
import { counted } from '#contract/plain-words.ts';
import { formatCount } from '#web/lib/format.ts';

export interface UseForAllProps {
  noun: 'client' | 'type' | 'period';
  /** How many files keep something else than the field says. */
  keeping: number;
  total: number;
  disabled: boolean;
  onUse: () => void;
}

export function UseForAll({ noun, keeping, total, disabled, onUse }: UseForAllProps) {
  if (keeping === 0) return null;
  const use = total === 1 ? 'Use for the file' : `Use for all ${counted(total, 'file')}`;
  const keeps = keeping === 1 ? 'keeps' : 'keep';
  return (
    <Group gap="xs" mt={-8} justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {total === 1
          ? `The file keeps a ${noun} of its own.`
          : `${formatCount(keeping)} of ${counted(total, 'file')} ${keeps} a ${noun} of their own.`}
      </Text>
      <Button variant="default" size="compact-sm" onClick={onUse} disabled={disabled} aria-label={`${use}: ${noun}`}>
        {use}
      </Button>
    </Group>
  );
}
