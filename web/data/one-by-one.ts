// The same done to several files, one after the other.
import { ApiFault } from '#web/lib/api.ts';

export interface OneByOne<File> {
  readonly done: readonly File[];
  readonly failures: readonly { readonly file: File; readonly error: unknown }[];
}

/** Never rejects; `onStep` is called after each file. Without an answer or a session the rest is left: no other would fare better. */
export async function oneByOne<File>(
  files: readonly File[],
  act: (file: File) => Promise<unknown>,
  onStep: () => void,
): Promise<OneByOne<File>> {
  const done: File[] = [];
  const failures: { file: File; error: unknown }[] = [];
  for (const file of files) {
    try {
      await act(file);
      done.push(file);
    } catch (error) {
      failures.push({ file, error });
      const status = error instanceof ApiFault ? error.status : undefined;
      if (status === 0 || status === 401) break;
    }
    onStep();
  }
  return { done, failures };
}
