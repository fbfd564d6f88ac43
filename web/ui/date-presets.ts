// Ranges of days that people filter by so often that they have names: this month, last quarter, Q3 2025.

export interface DatePreset {
  /** 'Last month'; unique among those of a day. */
  readonly name: string;
  /** YYYY-MM-DD, both inclusive. */
  readonly startDate: string;
  readonly endDate: string;
}

export interface DatePresets {
  /** Those that go with the day. */
  readonly near: readonly DatePreset[];
  /** The quarters of this year and the last, under the year. */
  readonly quarters: readonly { readonly year: string; readonly presets: readonly DatePreset[] }[];
}

const pad = (n: number, length = 2) => String(n).padStart(length, '0');

/** `length` whole months; `first` is counted from January of the year 0. */
function months(name: string, first: number, length: number): DatePreset {
  const last = first + length - 1;
  const monthOf = (month: number) => `${pad(Math.floor(month / 12), 4)}-${pad((month % 12) + 1)}`;
  // Day 0 of a month is the last one of the month before.
  const days = new Date(Date.UTC(Math.floor(last / 12), (last % 12) + 1, 0)).getUTCDate();
  return { name, startDate: `${monthOf(first)}-01`, endDate: `${monthOf(last)}-${pad(days)}` };
}

/** The presets on a day, YYYY-MM-DD. */
export function datePresets(today: string): DatePresets {
  const year = Number(today.slice(0, 4));
  const month = year * 12 + Number(today.slice(5, 7)) - 1;
  const quarter = month - (month % 3);
  return {
    near: [
      months('This month', month, 1),
      months('Last month', month - 1, 1),
      months('This quarter', quarter, 3),
      months('Last quarter', quarter - 3, 3),
      months('This year', year * 12, 12),
      months('Last year', year * 12 - 12, 12),
    ],
    quarters: [year, year - 1].map((of) => ({
      year: String(of),
      presets: [1, 2, 3, 4].map((nth) => months(`Q${nth} ${of}`, of * 12 + (nth - 1) * 3, 3)),
    })),
  };
}

/** The preset of exactly these days; a quarter by its own name, which stays true. Undefined for any other range. */
export function presetOf(
  { startDate, endDate }: { readonly startDate: string; readonly endDate: string },
  { near, quarters }: DatePresets,
): DatePreset | undefined {
  return [...quarters.flatMap(({ presets }) => presets), ...near].find(
    (preset) => preset.startDate === startDate && preset.endDate === endDate,
  );
}
