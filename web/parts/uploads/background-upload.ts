// An upload that goes on while its person is on other pages: what is needed to show it again, and to stop it when that person leaves.
import { type ComponentType, useSyncExternalStore } from 'react';
import type { FileType } from '#contract/file-kinds.ts';
import type { UploadChoices } from '#web/data/uploads.ts';
import { newListeners } from '#web/lib/listeners.ts';
import { expiredUser, getSession, onSessionChange } from '#web/lib/session.ts';
import type { RowChoices, SharedFor } from './own-choices.ts';
import type { UploadStart } from './upload-form.ts';

export interface BackgroundUpload {
  /** Whose it is. */
  readonly userId: number;
  /** The dialog that it was begun in. */
  readonly dialog: {
    readonly title: string;
    readonly fileTypes: readonly FileType[];
    readonly start: UploadStart;
    readonly several: boolean;
  };
  /** What is chosen in it, for all files and for single ones. */
  readonly values: UploadChoices;
  readonly own: RowChoices;
  readonly sharedFor: SharedFor;
  /** What each file is sent with. */
  readonly choices: ReadonlyMap<string, UploadChoices>;
  /** How many files the latest sequence began with. */
  readonly sentOf: number;
}

interface State {
  /** The component that shows it; it loads with the dialog. */
  readonly Panel: ComponentType | null;
  /** What goes on in the background. */
  readonly current: BackgroundUpload | null;
  /** What was taken back into its dialog. */
  readonly details: BackgroundUpload | null;
}

let state: State = { Panel: null, current: null, details: null };
let stopWatching: (() => void) | null = null;
const listeners = newListeners();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  listeners.tell();
}

export function setUploadPanel(Panel: ComponentType): void {
  if (state.Panel !== Panel) change({ Panel });
}

/** Whether this person is signed in, or is asked to sign in again. */
export function isStillThere(userId: number): boolean {
  return (getSession()?.user ?? expiredUser())?.id === userId;
}

/** Leaves an upload to the panel. When its person signs out, or another one signs in, `stop` ends it. */
export function handOver(upload: BackgroundUpload, stop: () => void): void {
  stopWatching?.();
  stopWatching = onSessionChange(() => {
    if (isStillThere(upload.userId)) return;
    stop();
    dropBackgroundUpload();
  });
  change({ current: upload, details: null });
}

/** Opens the dialog of the upload in the background; false where there is none. */
export function showUploadDetails(): boolean {
  if (state.current === null) return false;
  change({ current: null, details: state.current });
  return true;
}

export function closeUploadDetails(): void {
  change({ details: null });
}

/** Nothing goes on in the background any more. */
export function dropBackgroundUpload(): void {
  stopWatching?.();
  stopWatching = null;
  change({ current: null, details: null });
}

export function useBackgroundUpload(): State {
  return useSyncExternalStore(listeners.add, () => state);
}
