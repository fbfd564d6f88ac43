// What staff read about uploads that name another company.
import { expect, it } from 'vitest';
import { namesWords } from './report-messages.ts';

it('names whom it may, and ends each sentence with one dot', () => {
  const file = { clientName: 'Acme Plumbing of Ohio Inc.', uploaderName: 'Dana Reyes' };
  expect(namesWords('Harbor & Pine Bakery LLC', file)).toBe(
    'This file names Harbor & Pine Bakery LLC, not Acme Plumbing of Ohio Inc. It was sent by Dana Reyes.',
  );
  expect(namesWords(null, { clientName: 'Acme Plumbing LLC', uploaderName: 'Dana Reyes Jr.' })).toBe(
    'This file names another company, not Acme Plumbing LLC. It was sent by Dana Reyes Jr.',
  );
});
