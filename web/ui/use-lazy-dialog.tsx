// A dialog whose code loads when it is first opened: a screen that is only read does not bring it.
import { type ComponentType, type ReactNode, useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import { failed } from '#web/lib/messages.ts';
import { toast } from './toast.tsx';
import { type Dialog, useDialog } from './use-dialog.ts';

export interface LazyDialog<Subject> {
  open: (subject: Subject | null) => Promise<void>;
  element: ReactNode;
}

/** `load` must stay the same function; `more` is what else the dialog is told. */
export function useLazyDialog<Subject, More extends object = object>(
  load: () => Promise<ComponentType<Dialog<Subject> & More>>,
  ...[more]: object extends More ? [] : [more: More]
): LazyDialog<Subject> {
  const dialog = useDialog<Subject>();
  const { open: show } = dialog;
  const [Content, setContent] = useState<ComponentType<Dialog<Subject> & More> | null>(null);
  const open = useCallback(
    async (subject: Subject | null) => {
      try {
        const loaded = await load();
        // First there, then opened: a dialog that is born open does not know whom to give the focus back to.
        flushSync(() => setContent(() => loaded));
        show(subject);
      } catch {
        toast.error(failed.loadPart);
      }
    },
    [load, show],
  );
  return { open, element: Content ? <Content {...dialog} {...(more as More)} /> : null };
}
