// The same done to several files, one after the other.
import { ApiFault } from '#web/lib/api-fault.ts';

export interface OneByOne<File> {
  readonly done: readonly File[];
  readonly failures: readonly { readonly file: File; readonly error: unknown }[];
}

/** Those that somebody has changed since they were looked at: whoever means them all the same looks at them first. */
export const changedOf = <File>(failures: OneByOne<File>['failures']): readonly File[] =>
  failures.flatMap(({ file, error }) =>
    error instanceof ApiFault && error.code === 'changed_meanwhile' ? [file] : [],
  );

/**
 * Never rejects; `onStep` is called after each file. Without an answer or a session, and where the second factor was not shown, the rest is
 * left, since no other would fare better: they failed for the same reason, and nobody is asked again for each of them.
 */
export async function oneByOne<File>(
  files: readonly File[],
  act: (file: File) => Promise<unknown>,
  onStep: () => void,
): Promise<OneByOne<File>> {
  const done: File[] = [];
  const failures: { file: File; error: unknown }[] = [];
  for (const [nth, file] of files.entries()) {
    try {
      await act(file);
      done.push(file);
    } catch (error) {
      const isOver =
        error instanceof ApiFault && (error.status === 0 || error.status === 401 || error.code === 'reauth_required');
      failures.push(...(isOver ? files.slice(nth) : [file]).map((left) => ({ file: left, error })));
      if (isOver) break;
    }
    onStep();
  }
  return { done, failures };
}
