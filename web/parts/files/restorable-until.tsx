// The line below a confirmation that says until when it can be taken back, and by whom.
import { trashReach } from '#contract/policy/reach.ts';
import type { TrashKind } from '#contract/trash-kinds.ts';
import { formatDate } from '#web/lib/format.ts';
import { trashDays } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';

const DAY_MS = 24 * 60 * 60_000;

export function RestorableUntil({ kind, several = false }: { kind: TrashKind; several?: boolean }) {
  const { files, clients } = trashReach(useSessionUser());
  const reach = kind === 'file' ? files : clients;
  const colleagues = `whoever may delete ${several ? 'them' : 'it'}`;
  const by = { all: 'an Admin', deletable: colleagues, own: 'you or an Admin', none: 'an Admin' }[reach];
  const day = formatDate(new Date(Date.now() + trashDays * DAY_MS).toISOString());
  return `${several ? 'They' : 'It'} can be restored from the Trash until ${day}, by ${by}.`;
}
