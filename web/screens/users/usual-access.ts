// What people with a role usually get; nothing of it is given before somebody presses the button.
import type { RoleRow } from '#contract/roles.ts';
import { formatCount } from '#web/lib/format.ts';

/** What people with a role usually get; nothing of it is given before somebody presses the button. */
interface Template {
  readonly words: (types: number) => string;
  readonly label: string;
  readonly allClients: boolean;
}

export function templateFor({ systemKey }: RoleRow, mayGiveAllClients: boolean): Template | null {
  const types = (count: number) => (count === 1 ? 'the report type' : `all ${formatCount(count)} report types`);
  if (systemKey === 'cpa' && mayGiveAllClients) {
    const words = (count: number) => `A new CPA often gets ${types(count)} and all clients, also later ones.`;
    return { words, label: 'Tick these', allClients: true };
  }
  if (systemKey === 'cpa' || systemKey === 'client') {
    const who = systemKey === 'cpa' ? 'A new CPA' : 'A new Client';
    const words = (count: number) => `${who} often gets ${types(count)}, and the clients that you tick.`;
    return { words, label: 'Tick the report types', allClients: false };
  }
  return null;
}
