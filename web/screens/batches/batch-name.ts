// What a batch is called: after the folder that was chosen, or else the first of its files. How many there are is counted where it is shown: what is dropped may hold files twice, or be a ZIP.
import { saidName } from '#web/lib/said-name.ts';

const NAME_MAX = 120;

interface NamedFile {
  readonly name: string;
  /** In the folder, which comes first. */
  readonly path: string;
  readonly isLeftOut: boolean;
}

/** 'March 2026' of a folder; 'payrun-2026-11.pdf', or 'payrun-2026-11.pdf and others'. */
export function batchNameOf(files: readonly NamedFile[]): string {
  const taken = files.filter(({ isLeftOut }) => !isLeftOut);
  const folders = new Set(files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')));
  const [folder] = folders.size === 1 ? folders : [];
  const rest = !folder && taken.length > 1 ? ' and others' : '';
  const first = saidName((folder || (taken[0] ?? files[0])?.name) ?? '') || 'Batch';
  return `${first.slice(0, NAME_MAX - rest.length).trim()}${rest}`;
}
