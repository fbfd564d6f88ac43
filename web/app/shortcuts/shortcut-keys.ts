// The keys that work on every page, their names, and when they are ignored.
import type { SessionUser } from '#contract/session.ts';
import { type NavItem, navigationFor } from '../navigation/navigation.ts';

/** What may follow G: the first of these addresses that the person's navigation has. */
const goKeys: Readonly<Record<string, readonly string[]>> = {
  d: ['/'],
  c: ['/clients', '/firm-details'],
  u: ['/users'],
  f: ['/file-upload', '/firm-documents'],
  r: ['/cpa-dashboard', '/client-reports'],
  a: ['/activity'],
};

/** Every key that may follow G, for all users. */
export const GO_KEYS = Object.keys(goKeys);

export interface GoTarget {
  /** In small letters. */
  readonly key: string;
  readonly item: NavItem;
}

/** Where G and another key lead this person. */
export function goTargetsOf(user: SessionUser): readonly GoTarget[] {
  const items = navigationFor(user).flatMap((group) => group.items);
  return GO_KEYS.flatMap((key) => {
    const item = goKeys[key]?.map((to) => items.find((known) => known.to === to)).find((found) => found !== undefined);
    return item ? [{ key, item }] : [];
  });
}

/** Longer than any dialog takes to leave, on a busy machine too. */
const LEAVES_WITHIN_MS = 1000;

let closedAt = Number.NEGATIVE_INFINITY;

/** A dialog is being closed: it is there until it has faded. */
export function noteClosing(): void {
  closedAt = performance.now();
}

/** Follows the key that closes dialogs, until the answer is called. */
export function followEscape(): () => void {
  const note = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') noteClosing();
  };
  window.addEventListener('keydown', note, true);
  return () => window.removeEventListener('keydown', note, true);
}

let awaited: number | null = null;

/**
 * Acts at once where no dialog is there, and as soon as it has left where it has just been closed; not at all where one stays, or where
 * it is called again before it has acted: what is opened by a key is closed by it.
 */
export function onceNoDialog(act: () => void): void {
  if (awaited !== null) {
    cancelAnimationFrame(awaited);
    awaited = null;
    return;
  }
  const look = () => {
    awaited = null;
    if (!isDialogOpen()) act();
    else if (performance.now() < closedAt + LEAVES_WITHIN_MS) awaited = requestAnimationFrame(look);
  };
  look();
}

/** While a dialog or a menu is open, keys belong to it. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}
