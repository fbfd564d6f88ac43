// A button that is only an icon: its name is its label and its tooltip.
import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import classes from './icon-button.module.css';

export interface IconButtonProps {
  /** What it does and to what: 'Delete Acme LLC'. */
  label: string;
  /** A shorter tooltip, where the label names a row that stands beside it. */
  tip?: string;
  icon: ReactNode;
  onClick: () => void;
  busy?: boolean;
  disabled?: boolean;
  danger?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  label,
  tip,
  icon,
  onClick,
  busy = false,
  disabled = false,
  danger = false,
  ref,
}: IconButtonProps) {
  return (
    <Tooltip label={tip ?? label}>
      <ActionIcon
        ref={ref ?? null}
        aria-label={label}
        onClick={onClick}
        loading={busy}
        disabled={disabled}
        className={danger ? (classes.danger ?? '') : ''}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
