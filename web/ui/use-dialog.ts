// Whether a dialog is open, and what it is about.
import { useCallback, useState } from 'react';

export interface Dialog<Subject> {
  opened: boolean;
  /** What is edited; null while something new is created. Kept while the dialog fades, so that its texts stay. */
  subject: Subject | null;
  open: (subject: Subject | null) => void;
  close: () => void;
}

export function useDialog<Subject>(): Dialog<Subject> {
  const [state, setState] = useState<{ opened: boolean; subject: Subject | null }>({ opened: false, subject: null });
  const open = useCallback((subject: Subject | null) => setState({ opened: true, subject }), []);
  const close = useCallback(() => setState((before) => ({ ...before, opened: false })), []);
  return { ...state, open, close };
}
