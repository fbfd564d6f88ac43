// The toast of an act that failed: its sentence, and the id by which the server's log knows the call.
import { ApiFault, reasonOf } from '#web/lib/api-fault.ts';
import { toast } from '#web/ui/toast.tsx';

/** `words` is the whole sentence, or makes it from the reason; the title is 'Error' unless set. */
export function toastFault(
  error: unknown,
  words: string | ((reason: string) => string),
  more: { title?: string } = {},
): void {
  // The dialog or page that asks to sign in says it.
  if (error instanceof ApiFault && error.code === 'unauthenticated') return;
  const requestId = error instanceof ApiFault ? error.requestId : undefined;
  toast.error(typeof words === 'string' ? words : words(reasonOf(error)), { ...more, requestId });
}
