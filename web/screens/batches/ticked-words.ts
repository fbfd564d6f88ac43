// What can be done with the documents that are ticked, and what is left out of it and why.
import type { DocumentRow } from '#contract/batches.ts';
import { formatCount } from '#web/lib/format.ts';
import { isThereAlready } from './document-groups.ts';

/** Why a document is left out where several are accepted, in the order in which it is said. */
const LEFT_OUT = {
  client: 'without a client',
  type: 'without a report type',
  there: 'there already',
  accepted: 'accepted before',
  dropped: 'dropped',
} as const;
type LeftOut = keyof typeof LEFT_OUT;

/** Why it is not accepted together with others; null where it is. What is there already or dropped is decided by itself. */
function leftOutOf(document: DocumentRow): LeftOut | null {
  const { state, clientId, reportTypeId } = document;
  if (state === 'accepted' || state === 'dropped') return state;
  if (isThereAlready(document)) return 'there';
  if (clientId === null) return 'client';
  return reportTypeId === null ? 'type' : null;
}

export interface Acceptable {
  readonly documents: readonly DocumentRow[];
  /** How many of them were recalled: that is asked first. */
  readonly recalled: number;
  /** 'Left out: 2 without a client, 1 there already.'; empty where nothing is. */
  readonly leftOut: string;
}

export function acceptableOf(documents: readonly DocumentRow[]): Acceptable {
  const byReason = Map.groupBy(documents, leftOutOf);
  const said = (Object.keys(LEFT_OUT) as LeftOut[]).flatMap((reason) => {
    const count = byReason.get(reason)?.length ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${LEFT_OUT[reason]}`];
  });
  const acceptable = byReason.get(null) ?? [];
  const recalled = acceptable.filter(({ state }) => state === 'recalled').length;
  return { documents: acceptable, recalled, leftOut: said.length === 0 ? '' : `Left out: ${said.join(', ')}.` };
}
