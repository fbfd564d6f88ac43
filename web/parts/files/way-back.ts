// The way back from a file to a page that is no list of files: apart from those of lists, whose filters such pages need not load.
import type { Address, PagePath } from '#web/ui/page-link.ts';

/** The search part for a file opened from such a page: its own address. */
export function openedFrom(path: string, address: Address = {}): Record<string, string> {
  const asked = new URLSearchParams(Object.entries(address).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return { from: asked.size === 0 ? path : `${path}?${asked}` };
}

/** The same for a file of a request, wherever that stands: its files are those that Previous and Next lead through. */
export const openedFromRequest = (requestId: number, path: string): Record<string, string> => ({
  ...openedFrom(path),
  request: String(requestId),
});

export interface WayBack {
  readonly to: PagePath;
  /** Of no meaning where the address has no id. */
  readonly params: { readonly id: string };
  readonly search: Record<string, string>;
  readonly words: string;
}

const PAGES: readonly (readonly [to: PagePath, words: string])[] = [
  ['/', 'Back to dashboard'],
  ['/activity', 'Back to activity'],
  ['/batches/$id', 'Back to batch'],
  ['/clients/$id', 'Back to client'],
  ['/completeness', 'Back to completeness'],
  ['/requests/$id', 'Back to request'],
  ['/retention', 'Back to retention'],
  ['/system', 'Back to system'],
];

/** Null where the file was opened from no such page: anyone can type an address, and no other is led to. */
export function wayBack(place: Address): WayBack | null {
  const [path = '', asked = ''] = (place['from'] ?? '').split('?');
  const [id = ''] = /[1-9]\d{0,14}$/.exec(path) ?? [];
  const page = PAGES.find(([to]) => to.replace('$id', id) === path);
  if (page === undefined) return null;
  const [to, words] = page;
  return { to, params: { id }, search: Object.fromEntries(new URLSearchParams(asked)), words };
}
