// The keys that work on every page, their names, and when they are ignored.
import type { SessionUser } from '#contract/session.ts';
import { type NavItem, navigationFor } from '../navigation.ts';

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

let escapedAt = Number.NEGATIVE_INFINITY;

/** Follows the key that closes dialogs, until the answer is called. */
export function followEscape(): () => void {
  const note = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') escapedAt = performance.now();
  };
  window.addEventListener('keydown', note, true);
  return () => window.removeEventListener('keydown', note, true);
}

/** Acts at once where no dialog is there, and as soon as it has left where Escape has just closed it; not at all where one stays. */
export function onceNoDialog(act: () => void): void {
  if (!isDialogOpen()) act();
  else if (performance.now() < escapedAt + LEAVES_WITHIN_MS) requestAnimationFrame(() => onceNoDialog(act));
}

/** While a dialog or a menu is open, keys belong to it. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}
