// Long input over which a pattern might stumble, and as long a one for which there is no pattern; all of it is refused.
import { clientInput } from '../firm.ts';
import type { Answer, TestApp } from '../test-app.ts';

/** As much as the body may hold. */
const LENGTH = 15_000;

const CLIENTS: readonly [what: string, Readonly<Record<string, unknown>>][] = [
  ['a phone number of zeros', { phone: `(207)-555-${'0'.repeat(LENGTH)}` }],
  ['a phone number of area codes', { phone: '(207)-'.repeat(LENGTH / 6) }],
  ['a mail address of dots', { email: `${'a.'.repeat(LENGTH / 2)}@example.com` }],
  ['a mail address of hyphens', { email: `a@${'a-'.repeat(LENGTH / 2)}` }],
  ['a mail address of at signs', { email: `${'a@'.repeat(LENGTH / 2)}` }],
  ['an EIN', { federalId: `00-${'1'.repeat(LENGTH)}` }],
  ['a name', { name: ' '.repeat(LENGTH) }],
  ['a date', { startDate: '2026-'.repeat(LENGTH / 5) }],
  ['a count', { employeeCount: '9'.repeat(LENGTH) }],
];
const LISTS = ['clients', 'users', 'files', 'activity-logs'];

interface LongInput {
  /** What a pattern might stumble over. */
  tried(): Promise<Answer>;
  plain(): Promise<Answer>;
}

export function longInputs({ admin }: TestApp): Record<string, LongInput> {
  const create = (more: Readonly<Record<string, unknown>>) => () =>
    admin.post('/api/clients', clientInput('Larch Dental', more));
  const ask = (list: string, key: string) => () => admin.get(`/api/${list}?${key}=${'%25a_'.repeat(2_000)}`);
  const plain = create({ unknown: 'x'.repeat(LENGTH) });
  return Object.fromEntries([
    ...CLIENTS.map(([what, more]): [string, LongInput] => [what, { tried: create(more), plain }]),
    ...LISTS.map((list): [string, LongInput] => [
      `a search of ${list}`,
      { tried: ask(list, 'q'), plain: ask(list, 'unknown') },
    ]),
  ]);
}
