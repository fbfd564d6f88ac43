// Sentences of the log that follow a name: a name may end with a full stop of its own.
import { expect, it } from 'vitest';
import {
  activityLabel,
  actsOf,
  heldDetails,
  remindedDetails,
  replacedDetails,
  saidNotDetails,
  sentBackDetails,
} from './activity-words.ts';
import {
  suggestedDetails,
  suggestionAcceptedDetails,
  suggestionDeclinedDetails,
  suggestionTakenBackDetails,
} from './suggestion-words.ts';

it('ends a sentence once, whatever its name ends with', () => {
  expect(heldDetails('client', 'Acme Inc.', 'Lawsuit')).toBe('Put on hold: client Acme Inc. Reason: Lawsuit');
  expect(heldDetails('client', 'Acme LLC', 'Lawsuit')).toBe('Put on hold: client Acme LLC. Reason: Lawsuit');
  expect(heldDetails('client', 'Acme Inc.')).toBe('Put on hold: client Acme Inc.');
  expect(replacedDetails('a.pdf', 'b.pdf', 'Wrong rate')).toBe('Replaced file: a.pdf, by b.pdf. Reason: Wrong rate');
  expect(sentBackDetails('Forms of Acme', 'Form 8822.', 'Blurred')).toBe(
    'Sent back for Forms of Acme, Form 8822. Reason: Blurred',
  );
  expect(saidNotDetails('Forms', 'W-9', '')).toBe('Does not apply to Forms, W-9');
});

it('tells once of a hold to whoever reads both of its entries', () => {
  const at = '2026-11-28T10:00:00.000Z';
  const entry = (id: number, details: string | null, clientId: number | null, timestamp = at) => ({
    id,
    details,
    clientId,
    timestamp,
    announcedOnly: false,
  });
  const withReason = entry(1, heldDetails('file', 'a.pdf', 'Lawsuit'), null);
  const ofClient = entry(2, heldDetails('file', 'a.pdf'), 7);
  const later = entry(3, heldDetails('file', 'a.pdf'), 7, '2026-11-28T11:00:00.000Z');
  const others = [entry(4, 'Viewed file: a.pdf', null), entry(5, null, null)];
  expect(actsOf([later, ...others, ofClient, withReason])).toEqual([later, ...others, ofClient]);
  // Whoever put it on hold without reading the client's log has this one alone.
  expect(actsOf([withReason])).toEqual([withReason]);
});

it('tells of no view or download of which nothing was sent', () => {
  const seen = { details: 'Viewed file: a.pdf', timestamp: '2026-11-28T10:00:00.000Z', clientId: 7 };
  const sent = { ...seen, announcedOnly: false };
  expect(actsOf([{ ...seen, announcedOnly: true }, sent])).toEqual([sent]);
});

it('calls reminders and suggestions what they are', () => {
  const facts = { kind: 'type', name: 'Timesheets', words: 'Weekly hours' } as const;
  const details = [
    remindedDetails(2, 12),
    suggestedDetails(facts),
    suggestionTakenBackDetails(facts),
    suggestionAcceptedDetails(facts, 'Rosa Okafor'),
    suggestionDeclinedDetails(facts, 'Rosa Okafor'),
    'Took client: Larkspur Bakery',
    'Suggested something else',
  ];
  expect(details.map((words) => activityLabel({ action: 'update', details: words }))).toEqual([
    'Reminded',
    'Suggested',
    'Taken back',
    'Accepted',
    'Declined',
    'Taken',
    'Updated',
  ]);
});
