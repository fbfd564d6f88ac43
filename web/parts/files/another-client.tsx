// What becomes of a file that was stopped because it names another client than the chosen one. Taken off the list, it goes nowhere.
import { Button, Group, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { NamedClient } from '#contract/errors.ts';
import { KEEP_REASON_MAX } from '#contract/file-kinds.ts';
import classes from './another-client.module.css';

/** Why it is this client's although it names another one; for the client that it was said of. */
export interface Kept {
  readonly clientId: number;
  readonly because: string;
}

/** It goes under the client that it names, or stays with the chosen one. */
export interface Settled {
  readonly clientId?: number;
  readonly kept?: Kept;
}

export interface AnotherClientProps {
  fileName: string;
  chosen: NamedClient;
  /** Null where it names several, or one that may not be told. */
  named: NamedClient | null;
  disabled: boolean;
  onSettle: (choice: Settled) => void;
}

export function AnotherClient({ fileName, chosen, named, disabled, onSettle }: AnotherClientProps) {
  const [keeping, setKeeping] = useState(false);
  const [because, setBecause] = useState('');
  const fieldId = useId();
  const keep = () => onSettle({ kept: { clientId: chosen.id, because: because.trim() } });
  return (
    <>
      <Group gap={6} mt={4}>
        {named ? (
          <Button
            size="compact-sm"
            className={classes.choice ?? ''}
            onClick={() => onSettle({ clientId: named.id })}
            disabled={disabled}
            aria-label={`File under ${named.name}: ${fileName}`}
          >
            File under {named.name}
          </Button>
        ) : null}
        <Button
          variant="default"
          size="compact-sm"
          className={classes.choice ?? ''}
          onClick={() => setKeeping(!keeping)}
          disabled={disabled}
          aria-expanded={keeping}
          aria-controls={fieldId}
          aria-label={`Keep under ${chosen.name}...: ${fileName}`}
        >
          Keep under {chosen.name}...
        </Button>
      </Group>
      <div id={fieldId} hidden={!keeping}>
        {keeping ? (
          <Group gap={6} mt={6} align="end" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              size="xs"
              label={`Why is it ${chosen.name}’s?`}
              description="The log has your answer."
              maxLength={KEEP_REASON_MAX}
              value={because}
              onChange={(event) => setBecause(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // The form around it would send all files.
                event.preventDefault();
                if (because.trim() !== '') keep();
              }}
              disabled={disabled}
              autoFocus
            />
            <Button size="xs" onClick={keep} disabled={disabled || because.trim() === ''}>
              Keep
            </Button>
          </Group>
        ) : null}
      </div>
    </>
  );
}
