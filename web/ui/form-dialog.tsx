// A dialog around a form: it guards unsaved work and says when it is busy.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { BusyButton } from './busy-button.tsx';
import classes from './form-dialog.module.css';
import { RequiredFields } from './required-fields.tsx';
import type { EditConflict } from './use-dialog-form.ts';

export interface FormDialogProps {
  opened: boolean;
  /** Called when the dialog should close, once unsaved work was discarded or there is none. */
  onClose: () => void;
  title: string;
  /** True where closing would lose something. */
  dirty: boolean;
  busy: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  submitLabel: string;
  busyLabel: string;
  /** False keeps the submit button off. */
  canSubmit?: boolean;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** A sentence above the buttons about what saving would do; it keeps nobody from it. */
  warning?: string | null;
  /** Asks what becomes of a change that somebody else overtook. */
  conflict?: EditConflict | null;
  /** Lets the dialog be closed while busy, after this question; without it a busy dialog stays. */
  stopping?: { question: string; keepLabel: string; stopLabel: string };
  /** Closes the dialog while busy without stopping what it does. */
  aside?: { label: string; onClick: () => void };
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const {
    opened,
    onClose,
    title,
    dirty,
    busy,
    onSubmit,
    submitLabel,
    busyLabel,
    canSubmit = true,
    size,
    warning = null,
    conflict = null,
    stopping,
    aside,
    children,
  } = props;
  const [asking, setAsking] = useState(false);
  const keepButton = useRef<HTMLButtonElement>(null);
  const reloadButton = useRef<HTMLButtonElement>(null);
  const overtaken = conflict !== null;
  const guarded = opened && dirty && !busy;
  const locked = busy && stopping === undefined;

  const blocker = useBlocker({
    // The words of a search reach the address a moment after they are typed: that leaves no page.
    shouldBlockFn: ({ current, next, action }) =>
      (guarded || (opened && busy)) &&
      !((action === 'PUSH' || action === 'REPLACE') && current.pathname === next.pathname),
    enableBeforeUnload: () => guarded || (opened && busy),
    disabled: !opened,
    withResolver: true,
  });
  const blocked = blocker.status === 'blocked';
  const shown = asking || blocked;

  useEffect(() => {
    if (shown) keepButton.current?.focus();
  }, [shown]);
  useEffect(() => {
    if (overtaken) reloadButton.current?.focus();
  }, [overtaken]);
  const leave = blocker.proceed;
  useEffect(() => {
    // The work finished before the confirmation was answered: there is nothing left to ask.
    if (opened) return;
    setAsking(false);
    leave?.();
  }, [opened, leave]);

  const keep = () => {
    setAsking(false);
    blocker.reset?.();
  };
  const discard = () => {
    setAsking(false);
    onClose();
    blocker.proceed?.();
  };
  const leaveBusy = () => {
    setAsking(false);
    aside?.onClick();
    blocker.proceed?.();
  };
  const asideButton =
    busy && aside ? (
      <Button variant="default" onClick={leaveBusy}>
        {aside.label}
      </Button>
    ) : null;
  const close = () => {
    if (locked) return;
    if (shown) keep();
    else if (dirty || busy) setAsking(true);
    else onClose();
  };

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size={size ?? 'lg'}
      closeOnClickOutside={!busy}
      closeButtonProps={{ disabled: locked, 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 } }}
    >
      <form onSubmit={onSubmit} noValidate aria-label={title}>
        <RequiredFields>
          <Stack gap="md">{children}</Stack>
        </RequiredFields>
        <div className={classes.footer}>
          <div role="status" className={classes.warning} hidden={warning === null}>
            <IconAlertTriangle size={16} aria-hidden />
            <span>{warning}</span>
          </div>
          {shown ? (
            <Group justify="space-between" gap="xs" role="alert">
              <Text fw={500}>
                {busy ? (stopping?.question ?? 'This is still being saved. Leave anyway?') : 'Discard unsaved changes?'}
              </Text>
              <Group gap="xs">
                {asideButton}
                <Button ref={keepButton} variant="default" onClick={keep}>
                  {busy && stopping ? stopping.keepLabel : 'Keep editing'}
                </Button>
                <Button color="red.9" onClick={discard}>
                  {busy && stopping ? stopping.stopLabel : 'Discard'}
                </Button>
              </Group>
            </Group>
          ) : conflict ? (
            <Group justify="space-between" gap="xs" role="alert">
              <Text fw={500}>{conflict.message}</Text>
              <Group gap="xs" ml="auto">
                <Button ref={reloadButton} variant="default" onClick={conflict.reload} disabled={conflict.busy}>
                  Reload
                </Button>
                <Button onClick={conflict.keepMine} disabled={conflict.busy}>
                  Keep mine
                </Button>
              </Group>
            </Group>
          ) : (
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close} disabled={locked}>
                Cancel
              </Button>
              {asideButton}
              <BusyButton type="submit" busy={busy} disabled={!canSubmit}>
                {busy ? busyLabel : submitLabel}
              </BusyButton>
            </Group>
          )}
        </div>
      </form>
    </Modal>
  );
}
