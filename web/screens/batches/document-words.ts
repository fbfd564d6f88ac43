// What a document of a batch is, in words.
import type { BatchFileRow, ClientCandidate, DocumentRow, Mark, Signal } from '#contract/batches.ts';
import { periodName } from '#contract/period.ts';
import { type ReasonKind, reasonSentences, type SignalKind, signalLabels } from '#contract/recognition-words.ts';
import { formatDate } from '#web/lib/format.ts';

/** 'Pages 5-7', 'Page 5'; empty for a file without pages. */
export function pageWords({ fromPage, toPage }: Pick<DocumentRow, 'fromPage' | 'toPage'>): string {
  if (fromPage === 0) return '';
  return fromPage === toPage ? `Page ${fromPage}` : `Pages ${fromPage}-${toPage}`;
}

/** 'Acme LLC'; of a document that is closed to this person, that it is, unless its client is in reach. */
export const clientWords = ({ clientName, closed }: Pick<DocumentRow, 'clientName' | 'closed'>): string =>
  clientName ?? (closed ? 'Closed to you' : noClient);

function noTypeWords({ form, closed }: DocumentRow): string {
  if (closed) return 'You do not reach its client or type';
  return form === null ? 'No report type' : `Form ${form}, no report type`;
}

/** 'Form 941 · Q1 2026'. */
export function typeWords(document: DocumentRow): string {
  const { reportTypeName, period, correction } = document;
  const type = reportTypeName ?? noTypeWords(document);
  const parts = [type, ...(period === null ? [] : [periodName(period, formatDate)])];
  return [...parts, ...(correction ? ['correction'] : [])].join(' · ');
}

export const noClient = 'No client';

export const signalName = ({ kind }: Signal) => signalLabels[kind as SignalKind] ?? kind;
export const reasonWords = (kind: string) => reasonSentences[kind as ReasonKind] ?? kind;

/** What follows of itself from a file of which no page was read. */
const NOTHING_FOUND: ReadonlySet<string> = new Set<ReasonKind>(['noText', 'noClient', 'noType', 'noPeriod']);

/** What is doubtful about it, beside what is said of a file that could not be read. */
export function doubtsOf({ state, reasons, fromPage }: DocumentRow, file: BatchFileRow | undefined) {
  if (state !== 'toCheck') return [];
  if (file?.state !== 'unreadable') return reasons;
  return reasons.filter((kind) => (fromPage === 0 ? !NOTHING_FOUND.has(kind) : kind !== 'noText'));
}

/** The candidate whose signals are shown: the chosen client, or the best where none is chosen. */
function shownCandidate({ clientId, clients }: DocumentRow): ClientCandidate | null {
  if (clientId === null) return clients[0] ?? null;
  return clients.find((candidate) => candidate.clientId === clientId) ?? null;
}

const areOnePlace = (one: Mark, other: Mark) =>
  one.page === other.page && one.x === other.x && one.y === other.y && one.width === other.width;

/** Of these, what stands on the pages of the document, or on none: once it is split, the rest speaks for its other pages. */
export function onItsPages({ fromPage, toPage }: Pick<DocumentRow, 'fromPage' | 'toPage'>, signals: readonly Signal[]) {
  return signals.flatMap((signal) => {
    const marks = signal.marks.filter(({ page }) => page >= fromPage && page <= toPage);
    return marks.length > 0 || signal.marks.length === 0 ? [{ ...signal, marks }] : [];
  });
}

/** Everything that spoke for what is proposed. What spoke for several things, such as the file's name, is said once. */
export function signalsOf(document: DocumentRow): Signal[] {
  const said = new Map<string, Signal>();
  const all = [...(shownCandidate(document)?.signals ?? []), ...document.typeSignals, ...document.periodSignals];
  for (const signal of onItsPages(document, all)) {
    const key = `${signalName(signal)} ${signal.text}`;
    const before = said.get(key)?.marks ?? [];
    const marks = signal.marks.filter((mark) => !before.some((other) => areOnePlace(mark, other)));
    said.set(key, { ...signal, marks: [...before, ...marks] });
  }
  return [...said.values()];
}
