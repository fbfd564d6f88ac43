// A dialog around a form: it guards unsaved work and says when it is busy.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { BusyButton } from './busy-button.tsx';
import classes from './form-dialog.module.css';
import { RequiredFields } from './required-fields.tsx';
import { BELOW_TOASTS } from './toast.tsx';
import { leadsToUnreadableDate } from './typed-date.ts';
import type { EditConflict } from './use-dialog-form.ts';
import { type Leaving, useLeaving } from './use-leaving.ts';

/** Asked at the foot of a dialog in place of its buttons. */
export interface FootQuestion {
  message: string;
  /** Goes back to the form; it has the focus. */
  keep: { label: string; onClick: () => void };
  proceed: { label: string; onClick: () => void; disabled?: boolean };
  busy?: boolean;
}

/** Of `another`, where the form is sent by it. */
export const SAVE_AND_ADD_ANOTHER = 'Save and add another';

const DISCARDING = { question: 'Discard unsaved changes?', keepLabel: 'Keep editing', leaveLabel: 'Discard' };

const stillSaving = (showsOnce: boolean) =>
  `This is still being saved. ${showsOnce ? 'Please wait: what comes next is shown only once.' : 'Leave anyway?'}`;

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
  /** What is sent takes something away: the submit button is red. */
  destructive?: boolean;
  /** Saves and goes on with the next: a button of its own. */
  another?: { label: string; go: () => void } | undefined;
  /** Whether there is a button that closes without sending; not where the work is done already. */
  cancellable?: boolean;
  /** False keeps the submit button off. */
  canSubmit?: boolean;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** A sentence above the buttons about what saving would do; it keeps nobody from it. */
  warning?: string | null;
  /** Why what was sent was refused, where a toast would cover the form; above the buttons. */
  refusal?: string | null;
  /** What goes on, or why the submit button is off; beside the buttons. */
  status?: string;
  /** Asks before the form is sent. */
  question?: FootQuestion | null;
  /** Asks what becomes of a change that somebody else overtook. */
  conflict?: EditConflict | null;
  /** Asked before something is lost that is no unsaved change. */
  losing?: { question: string; keepLabel: string; leaveLabel: string } | undefined;
  /** True where the answer brings what is shown only once: nobody leaves before it is there. */
  showsOnce?: boolean;
  /** Lets the dialog be closed while busy, after this question; without it a busy dialog stays. */
  stopping?: { question: string; keepLabel: string; stopLabel: string };
  /** Closes the dialog while busy without stopping what it does. */
  background?: { label: string; onClick: () => void };
  children: ReactNode;
}

const askedOver = (conflict: EditConflict): FootQuestion => ({
  message: conflict.message,
  keep: { label: 'Reload', onClick: conflict.reload },
  proceed: { label: 'Keep mine', onClick: conflict.keepMine },
  busy: conflict.busy,
});

interface FooterProps extends FormDialogProps {
  asked: FootQuestion | null;
  /** Has the focus once something is asked. */
  answerButton: RefObject<HTMLButtonElement | null>;
  leaving: Leaving;
  locked: boolean;
}

/** The buttons, or what is asked in their place; in one part, so that a button of one keeps the focus in the next. */
function Footer(props: FooterProps) {
  const { busy, submitLabel, busyLabel, destructive = false, another, cancellable = true, canSubmit = true } = props;
  const {
    warning = null,
    refusal = null,
    status,
    losing = DISCARDING,
    showsOnce = false,
    stopping,
    background,
  } = props;
  const { opened, asked, answerButton, locked } = props;
  const { shown, keepButton, keep, discard, leaveBusy, close } = props.leaving;
  const backgroundButton =
    busy && background ? (
      <Button variant="default" onClick={leaveBusy}>
        {background.label}
      </Button>
    ) : null;

  // Whoever tries again or goes on with the next one presses the same buttons, while the toast still tells of the last.
  return (
    <div className={classes.footer} {...{ [BELOW_TOASTS]: opened ? '' : undefined }}>
      <div role="status" className={classes.warning} hidden={warning === null}>
        <IconAlertTriangle size={16} aria-hidden />
        <span>{warning}</span>
      </div>
      {refusal === null ? null : (
        <div role="alert" className={classes.warning} data-refusal>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{refusal}</span>
        </div>
      )}
      {shown ? (
        <Group justify="space-between" gap="xs" role="alert">
          <Text fw={500}>{busy ? (stopping?.question ?? stillSaving(showsOnce)) : losing.question}</Text>
          <Group gap="xs">
            {backgroundButton}
            <Button ref={keepButton} variant="default" onClick={keep}>
              {busy && stopping ? stopping.keepLabel : losing.keepLabel}
            </Button>
            {busy && showsOnce ? null : (
              <Button color="red.9" onClick={discard}>
                {busy && stopping ? stopping.stopLabel : losing.leaveLabel}
              </Button>
            )}
          </Group>
        </Group>
      ) : asked ? (
        <Group justify="space-between" gap="xs" role="alert">
          <Text fw={500}>{asked.message}</Text>
          <Group gap="xs" ml="auto">
            <Button ref={answerButton} variant="default" onClick={asked.keep.onClick} disabled={asked.busy ?? false}>
              {asked.keep.label}
            </Button>
            <Button onClick={asked.proceed.onClick} disabled={asked.busy || (asked.proceed.disabled ?? false)}>
              {asked.proceed.label}
            </Button>
          </Group>
        </Group>
      ) : (
        <Group justify="space-between" gap="xs">
          {/* There before its words are: only then are they announced. */}
          <Text size="sm" c="dimmed" flex="1 1 8rem" role={status === undefined ? undefined : 'status'}>
            {status}
          </Text>
          <Group gap="xs" ml="auto" justify="flex-end">
            {cancellable ? (
              <Button variant="default" onClick={close} disabled={locked}>
                Cancel
              </Button>
            ) : null}
            {backgroundButton}
            {another ? (
              <BusyButton
                variant="default"
                busy={busy}
                disabled={!canSubmit}
                onClick={({ currentTarget }) => {
                  if (!leadsToUnreadableDate(currentTarget.form)) another.go();
                }}
              >
                {another.label}
              </BusyButton>
            ) : null}
            <BusyButton type="submit" busy={busy} disabled={!canSubmit} {...(destructive ? { color: 'red.9' } : {})}>
              {busy ? busyLabel : submitLabel}
            </BusyButton>
          </Group>
        </Group>
      )}
    </div>
  );
}

export function FormDialog(props: FormDialogProps) {
  const {
    opened,
    onClose,
    title,
    dirty,
    busy,
    onSubmit,
    size,
    question = null,
    conflict = null,
    stopping,
    background,
    children,
  } = props;
  const answerButton = useRef<HTMLButtonElement>(null);
  const asked = conflict === null ? question : askedOver(conflict);
  const isAsked = asked !== null;
  const locked = busy && stopping === undefined;
  const leaving = useLeaving({ opened, onClose, dirty, busy, locked, background });
  useEffect(() => {
    if (isAsked) answerButton.current?.focus();
  }, [isAsked]);

  return (
    <Modal
      opened={opened}
      onClose={leaving.close}
      title={title}
      size={size ?? 'lg'}
      closeOnClickOutside={!busy}
      closeButtonProps={{ disabled: locked, 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 } }}
    >
      <form
        onSubmit={(event) => {
          if (leadsToUnreadableDate(event.currentTarget)) event.preventDefault();
          else onSubmit(event);
        }}
        noValidate
        aria-label={title}
      >
        <RequiredFields>
          <Stack gap="md">{children}</Stack>
        </RequiredFields>
        <Footer {...props} asked={asked} answerButton={answerButton} leaving={leaving} locked={locked} />
      </form>
    </Modal>
  );
}
