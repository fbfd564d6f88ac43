// A button that is only an icon: its name is its label and its tooltip; and a row of such buttons in a table.
import { ActionIcon, Group, Loader, Tooltip } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import classes from './icon-button.module.css';

/** The width of an `IconRow` of this many as a column of a table, with the room around it; wider for fingers (`global.css`). */
export const ICONS_WIDTH = { two: 'var(--icons-two)', three: 'var(--icons-three)', four: 'var(--icons-four)' } as const;

export interface IconButtonProps {
  /** What it does and to what: 'Delete Acme LLC'. */
  label: string;
  /** A shorter tooltip, where the label names the row it is in. */
  tip?: string;
  /** What more there is to know, for screen readers too: 'Opens in a new tab'. */
  description?: string | undefined;
  icon: ReactNode;
  onClick: () => void;
  busy?: boolean;
  disabled?: boolean;
  danger?: boolean;
  'aria-expanded'?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  label,
  tip,
  description,
  icon,
  onClick,
  busy = false,
  disabled = false,
  danger = false,
  'aria-expanded': expanded,
  ref,
}: IconButtonProps) {
  return (
    <Tooltip label={description === undefined ? (tip ?? label) : `${tip ?? label} (${description.toLowerCase()})`}>
      <ActionIcon
        ref={ref ?? null}
        aria-label={label}
        aria-description={description}
        aria-expanded={expanded}
        // Not `loading`, which removes the button, and the focus with it, from the Tab order.
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        onClick={() => {
          if (!busy) onClick();
        }}
        disabled={disabled}
        className={`${classes.icon} ${danger ? classes.danger : ''}`}
      >
        {busy ? <Loader size={16} color="gray" aria-hidden /> : icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** The glyphs, not the buttons around them, are in line with the word above. */
export function IconRow({ children }: { children: ReactNode }) {
  return (
    <Group gap={2} wrap="nowrap" ml={-6}>
      {children}
    </Group>
  );
}
