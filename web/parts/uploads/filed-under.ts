// What one file is filed under, of what somebody chose for it, what its name proposes and what is chosen for the others.

import type { ClientRow } from '#contract/clients.ts';
import type { DocumentType, FileType } from '#contract/file-kinds.ts';
import { proposePeriod } from '#contract/period-in-name.ts';
import { clientProposer, proposeDocumentType, reportTypeProposer } from '#contract/propose.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import type { OwnChoices } from './own-choices.ts';

/** One thing that a file is filed under. */
export interface Filed<T> {
  readonly value: T | null;
  readonly name: string;
  /** Whether only the name of the file says so. */
  readonly proposed: boolean;
  /** Whether the file has one of its own, chosen or proposed: the field for the others does not change it. */
  readonly own: boolean;
}

export interface Proposal {
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly documentType: DocumentType | null;
  readonly period: string | null;
}

interface Sources<T> {
  /** Chosen for this file alone; undefined where nobody chose. */
  readonly chosen: T | null | undefined;
  readonly proposal: T | null;
  /** What the field above the list says. */
  readonly shared: T | null;
  /** Whether it says so of files too whose names propose something else. */
  readonly forAll: boolean;
}

/** The choice for one file goes first, then what its name proposes; what is chosen for the others fills what is left. */
export function filed<T>({ chosen, proposal, shared, forAll }: Sources<T>, nameOf: (value: T) => string): Filed<T> {
  const fits = chosen === undefined && proposal !== null && !(forAll && shared !== null);
  const value = chosen !== undefined ? chosen : fits ? proposal : shared;
  return {
    value,
    name: value === null ? '' : nameOf(value),
    // What somebody chose for the others as well is no mere proposal.
    proposed: fits && proposal !== shared,
    own: chosen !== undefined || fits,
  };
}

export const NOTHING: Filed<number> = { value: null, name: '', proposed: false, own: false };

/** What a file corrects: as somebody chose for it at this client, or the dialog began with, or the only file that its name can mean. */
export function correctedBy(
  said: OwnChoices['corrects'],
  clientId: number | null,
  only: { readonly id: number; readonly originalName: string } | null,
): Filed<number> {
  if (said === null) return NOTHING;
  if (said !== undefined && said.clientId === clientId)
    return { value: said.id, name: said.name, proposed: false, own: true };
  return only === null ? NOTHING : { value: only.id, name: only.originalName, proposed: true, own: true };
}

/** The kind that a name speaks of by the type it names; a report type tells more than the words of a document. */
export function proposedKind({ reportTypeId, documentType }: Proposal, offered: readonly FileType[]): FileType | null {
  const kind = reportTypeId !== null ? 'report' : documentType !== null ? 'company_document' : null;
  return kind !== null && offered.length > 1 && offered.includes(kind) ? kind : null;
}

/** Proposes by names; each name is gone through once, and not at each step of a file that is being sent. */
export function proposerOf(
  clients: readonly ClientRow[],
  reportTypes: readonly ReportTypeRow[],
): (name: string) => Proposal {
  const clientOf = clientProposer(
    clients.map(({ id, name, otherNames, federalId }) => ({ id, names: [name, ...otherNames], federalId })),
  );
  const reportTypeOf = reportTypeProposer(reportTypes);
  const known = new Map<string, Proposal>();
  return (name) => {
    const proposal = known.get(name) ?? {
      clientId: clientOf(name),
      reportTypeId: reportTypeOf(name),
      documentType: proposeDocumentType(name),
      period: proposePeriod(name),
    };
    known.set(name, proposal);
    return proposal;
  };
}

/** An id of a field, and the other way round. */
export const idIn = (text: string) => (text === '' ? null : Number(text));

export const textOf = (value: number | string | null) => (value === null ? '' : String(value));
