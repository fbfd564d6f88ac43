// A screen, who sees it, and a state of it that is not there at once: a dialog, a fault, what an answer makes of it.
import type { Page } from '@playwright/test';

/** What the addresses of some screens name; each of them in the person's reach. */
export interface FixtureIds {
  /** A PDF. */
  readonly reportId: number;
  /** A CSV file, and one that no browser shows. */
  readonly tableId?: number;
  readonly archiveId?: number;
  /** In review. */
  readonly batchId?: number;
  /** With something to review. */
  readonly requestId?: number;
  readonly clientId: number;
  readonly username: string;
}

export interface Screen {
  readonly name: string;
  /** Undefined where the firm has nothing of the kind. */
  readonly path: string | ((fixtureIds: FixtureIds) => string | undefined);
  /** A heading of the page itself. */
  readonly heading: string | RegExp;
  readonly states: readonly ScreenState[];
}

export interface ScreenState {
  readonly name: string;
  /** From the screen as it first loads. */
  readonly open: (page: Page) => Promise<unknown>;
  /** Puts away what would last beyond the screen. */
  readonly close?: (page: Page) => Promise<unknown>;
  /** Where it exists at one kind of width only. */
  readonly only?: 'wide' | 'phone';
  /** True where it is met on a page loaded anew, and leaves what no other may meet: stubbed answers, unsaved work, an open menu. */
  readonly alone?: boolean;
}

export type Visitor = 'signed out' | 'admin' | 'cpa' | 'client' | 'outsider';
