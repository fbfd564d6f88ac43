// What a person has chosen of how the portal looks, and what a change makes of it, the same on both sides.

export const DENSITIES = ['comfortable', 'compact'] as const;

/** Of so many tables, those whose columns were chosen last, the choice is kept. */
export const TABLES_KEPT_MAX = 40;

interface Preferences {
  readonly chosenClientId: number | null;
  readonly density: (typeof DENSITIES)[number];
  readonly hiddenColumns: { table: string; columns: string[] }[];
}

type PreferencesChange = { readonly [Name in keyof Preferences]?: Preferences[Name] | undefined };

export const NO_PREFERENCES: Preferences = { chosenClientId: null, density: 'comfortable', hiddenColumns: [] };

/** The preferences with a change: tables that it names come last, and those without columns go. */
export function withChange(before: Preferences, change: PreferencesChange): Preferences {
  const { chosenClientId = before.chosenClientId, density = before.density, hiddenColumns = [] } = change;
  const named = new Set(hiddenColumns.map(({ table }) => table));
  const others = before.hiddenColumns.filter(({ table }) => !named.has(table));
  const hidden = hiddenColumns.filter(({ columns }) => columns.length > 0);
  return { chosenClientId, density, hiddenColumns: [...others, ...hidden].slice(-TABLES_KEPT_MAX) };
}
