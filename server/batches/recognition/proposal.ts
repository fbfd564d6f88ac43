// What recognition is given and what it answers: the files of a batch, what the firm knows, and the documents it proposes.
import type { ReasonKind, SignalKind } from '#contract/recognition-words.ts';
import type { Bookmark, PageText } from '../reading/page-text.ts';

export interface ReadFile {
  /** Of the batch's file. */
  readonly key: number;
  readonly name: string;
  /** Empty where the file could not be read, or is no PDF: then its name alone is judged. */
  readonly pages: readonly PageText[];
  readonly bookmarks: readonly Bookmark[];
}

export interface KnownClient {
  readonly id: number;
  /** The legal name first, then the other names. */
  readonly names: readonly string[];
  /** Nine digits, with or without a hyphen; empty where the firm has none. */
  readonly federalId: string;
  /** As the firm wrote it down; empty where it has none. */
  readonly stateId: string;
  /** Outside the processor's reach: only ever counts as another company, and is never named. */
  readonly outOfReach?: boolean;
}

export interface KnownReportType {
  readonly id: number;
  readonly name: string;
  /** Words that its pages have on them, as the firm says. */
  readonly phrases: readonly string[];
}

export interface Known {
  readonly clients: readonly KnownClient[];
  readonly reportTypes: readonly KnownReportType[];
  /** No document is for a later year: next year's, whose first checks are printed in December. */
  readonly lastYear: number;
}

/** Where words stand that decided something: in points from the top left. */
export interface Mark {
  /** In the file, the first being 1. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Signal {
  readonly kind: SignalKind;
  /** The words that were found, as a person reads them. */
  readonly text: string;
  /** None for a file's name or a bookmark. */
  readonly marks: readonly Mark[];
}

export interface ClientCandidate {
  readonly clientId: number;
  readonly signals: readonly Signal[];
}

export interface Reason {
  readonly kind: ReasonKind;
}

export interface ProposedDocument {
  readonly fileKey: number;
  /** The first page being 1, both inclusive; 0 and 0 for a file without pages. */
  readonly fromPage: number;
  readonly toPage: number;
  readonly clientId: number | null;
  /** Best first. */
  readonly clients: readonly ClientCandidate[];
  readonly reportTypeId: number | null;
  /** '941-X'; null where no known form was recognised. */
  readonly form: string | null;
  readonly typeSignals: readonly Signal[];
  /** As in contract/period.ts. */
  readonly period: string | null;
  readonly periodSignals: readonly Signal[];
  readonly correction: boolean;
  /** What heads its first page and names no client: what a person may say that pages of a type are headed. */
  readonly heading: string | null;
  /** The company that it names and no client is called: what a person may say that a client is called too. */
  readonly printedName: string | null;
  readonly state: 'ready' | 'toCheck';
  /** Why it is not ready; empty where it is. */
  readonly reasons: readonly Reason[];
}
