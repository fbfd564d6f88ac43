// A confirmation before something that many feel, or that cannot be taken back: it names the object, and restores the focus.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Breakable } from './breakable.tsx';
import { BusyButton } from './busy-button.tsx';
import { keepsKeys, Z_INDEX } from './top-dialog.tsx';

export interface ConfirmRequest {
  /** Names the thing: 'Delete Acme LLC?'. */
  title: string;
  /** The question, from `confirmations` of `web/lib/messages.ts`. */
  message: string;
  /** What must be known before anything else, above the question. */
  facts?: ReactNode;
  /** Further facts, below it. */
  note?: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  /** Of what is not taken away but begun: its button is not red. */
  begins?: boolean;
  /** Runs while the dialog shows `busyLabel`; it closes either way, so failures are shown by a toast. */
  onConfirm: () => Promise<void>;
}

const DANGER = { color: 'red.9' } as const;

const ConfirmContext = createContext<((request: ConfirmRequest) => void) | null>(null);

/** Told by `Impossible` among the facts. */
export const ImpossibleContext = createContext<(isImpossible: boolean) => void>(() => undefined);

/** Opens the confirmation dialog. */
export function useConfirm(): (request: ConfirmRequest) => void {
  const confirm = use(ConfirmContext);
  if (confirm === null) throw new Error('useConfirm needs a ConfirmProvider above it');
  return confirm;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<ConfirmRequest | null>(null);
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const [isImpossible, tellImpossible] = useState(false);
  /** Each question is answered once, however often it is pressed: also while it fades. */
  const answered = useRef(false);

  const confirm = useCallback((next: ConfirmRequest) => {
    answered.current = false;
    setRequest(next);
    setOpened(true);
  }, []);

  const close = () => {
    if (!busy) setOpened(false);
  };

  // Back on a phone is meant for the question; what it is about stays on the page that was left.
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const askedOn = useRef(path);
  const leave = useEffectEvent(close);
  useEffect(() => {
    if (askedOn.current === path) return;
    askedOn.current = path;
    leave();
  }, [path]);

  const run = async () => {
    if (answered.current) return;
    answered.current = true;
    setBusy(true);
    try {
      await request?.onConfirm();
    } finally {
      setBusy(false);
      setOpened(false);
    }
  };

  const label = busy ? request?.busyLabel : request?.confirmLabel;
  const asked = isImpossible ? null : request;
  return (
    <ConfirmContext value={useMemo(() => confirm, [confirm])}>
      {children}
      <Modal
        opened={opened}
        onClose={close}
        title={<Breakable text={request?.title ?? ''} />}
        size="md"
        // Also asked from within a dialog, which stays as it is.
        zIndex={Z_INDEX.question}
        {...keepsKeys(close)}
        styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
      >
        <Stack gap="md">
          {request?.facts ? (
            <ImpossibleContext value={tellImpossible}>
              <Text component="div">{request.facts}</Text>
            </ImpossibleContext>
          ) : null}
          {asked ? <Text>{asked.message}</Text> : null}
          {asked?.note ? (
            <Text component="div" c="dimmed">
              {asked.note}
            </Text>
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} disabled={busy} data-autofocus>
              {asked ? 'Cancel' : 'Close'}
            </Button>
            {asked ? (
              <BusyButton {...(asked.begins ? {} : DANGER)} onClick={() => void run()} busy={busy}>
                {label}
              </BusyButton>
            ) : null}
          </Group>
        </Stack>
      </Modal>
    </ConfirmContext>
  );
}
