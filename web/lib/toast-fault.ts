// The toast of an act that failed: its sentence, and the id by which the server's log knows the call.
import { toast } from '#web/ui/toast.tsx';
import { ApiFault, reasonOf } from './api.ts';

export interface FaultWords {
  /** 'Error' unless set. */
  title?: string;
}

/** `words` is the whole sentence, or makes it from the reason. */
export function toastFault(error: unknown, words: string | ((reason: string) => string), more: FaultWords = {}): void {
  // The dialog or page that asks to sign in says it.
  if (error instanceof ApiFault && error.code === 'unauthenticated') return;
  const requestId = error instanceof ApiFault ? error.requestId : undefined;
  toast.error(typeof words === 'string' ? words : words(reasonOf(error)), { ...more, requestId });
}
