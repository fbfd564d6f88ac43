// How a person has chosen tables to look, and what changes that: given by the frame, which knows who is signed in.
import { createContext } from 'react';
import type { Preferences, PreferencesChange } from '#contract/preferences.ts';

export interface Look extends Pick<Preferences, 'density' | 'hiddenColumns'> {
  readonly choose: (change: Pick<PreferencesChange, 'density' | 'hiddenColumns'>) => void;
}

export const ChosenLook = createContext<Look>({
  density: 'comfortable',
  hiddenColumns: [],
  choose: () => undefined,
});
