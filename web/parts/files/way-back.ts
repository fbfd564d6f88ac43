// The way back from a file to a page that is no list of files: apart from those of lists, whose filters such pages need not load.
import type { Address, PagePath } from '#web/ui/page-link.ts';

/** The search part for a file opened from such a page: its own address. */
export function openedFrom(path: string, address: Address = {}): Record<string, string> {
  const asked = new URLSearchParams(Object.entries(address).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return { from: asked.size === 0 ? path : `${path}?${asked}` };
}

export interface WayBack {
  readonly to: PagePath;
  /** Of no meaning where the address has no id. */
  readonly params: { readonly id: string };
  readonly search: Record<string, string>;
  readonly words: string;
}

/** Null where the file was opened from no such page: anyone can type an address, and no other is led to. */
export function wayBack(place: Address): WayBack | null {
  const [path = '', asked = ''] = (place['from'] ?? '').split('?');
  const search = Object.fromEntries(new URLSearchParams(asked));
  const id = /^\/clients\/([1-9]\d{0,14})$/.exec(path)?.[1] ?? '';
  const back = (to: PagePath, words: string): WayBack => ({ to, params: { id }, search, words });
  if (id !== '') return back('/clients/$id', 'Back to client');
  if (path === '/completeness') return back('/completeness', 'Back to completeness');
  return path === '/' ? back('/', 'Back to dashboard') : null;
}
