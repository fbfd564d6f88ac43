// What the client has answered stays in a request, whoever leaves it out.
import type { RequestItem } from '#contract/requests.ts';
import type { ItemLine } from './request-item-fields.tsx';

type Asked = Pick<RequestItem, 'id' | 'name' | 'note' | 'state' | 'files'>;

/** As the server has it: 'answered already, so it stays'. */
export const isAnswered = ({ state, files }: Pick<Asked, 'state' | 'files'>) => state !== 'open' || files.length > 0;

/** The lines, and in their places among them those of items that were answered. */
export function withAnswered(lines: readonly ItemLine[], items: readonly Asked[]): ItemLine[] {
  const there = new Set(lines.map(({ id }) => id));
  const all = [...lines];
  for (const [nth, item] of items.entries()) {
    if (isAnswered(item) && !there.has(item.id)) all.splice(nth, 0, { id: item.id, name: item.name, note: item.note });
  }
  return all;
}
