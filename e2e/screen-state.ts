// A state of a screen that is not there at once: a dialog, a fault, what an answer makes of it.
import type { Page } from '@playwright/test';

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
