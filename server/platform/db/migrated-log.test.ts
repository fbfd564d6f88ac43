// What the steps of the schema make of the log and of security events that were there.
import { describe, expect, it } from 'vitest';
import { SECURITY_EVENT_KINDS, topicOf } from '#contract/security-events.ts';
import { stepOver } from '../../testing/older-database.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('a database with rows on %s', (kind) => {
  it('G13: keeps its events, each once, with its topic', async () => {
    // Kinds that came later were not known to the table then.
    const kinds = SECURITY_EVENT_KINDS.filter(
      (event) => !['looked_at', 'invited', 'invitation_withdrawn', 'joined'].includes(event),
    );
    const database = await stepOver(
      kind,
      '0006-refusals-that-count',
      kinds.map((event, nth) => `insert into security_events (at, kind, user_id) values (${100 + nth}, '${event}', 7)`),
    );
    const kept = await database.reader
      .selectFrom('security_events')
      .select(['at', 'last_at', 'times', 'kind', 'about', 'open_key'])
      .orderBy('id')
      .execute();
    expect(kept).toEqual(
      kinds.map((event, nth) => ({
        at: 100 + nth,
        last_at: 100 + nth,
        times: 1,
        kind: event,
        about: topicOf[event],
        open_key: null,
      })),
    );
  });

  it('G19: says of accesses that were announced and never served that nothing was sent', async () => {
    const entry = (action: string, words: string, announced: string, served: string) =>
      `insert into activity (action, details, user_name, search_text, at, announced_at, served_at)
       values ('${action}', '${words}: Ångström.pdf', 'U', '${words.toLowerCase()}: ångström.pdf\n\nu\n', 1, ${announced}, ${served})`;
    const database = await stepOver(kind, '0006-refusals-that-count', [
      entry('download', 'Downloaded file', '1', 'null'),
      entry('view', 'Viewed file', '1', 'null'),
      entry('download', 'Downloaded file', '1', '2'),
      entry('view', 'Viewed file', 'null', '2'),
    ]);
    const kept = await database.reader
      .selectFrom('activity')
      .select(['details', 'search_text'])
      .orderBy('id')
      .execute();
    expect(kept).toEqual(
      [
        [
          'Announced a download, nothing was sent: Ångström.pdf',
          'announced a download, nothing was sent: ångström.pdf',
        ],
        ['Announced a view, nothing was sent: Ångström.pdf', 'announced a view, nothing was sent: ångström.pdf'],
        ['Downloaded file: Ångström.pdf', 'downloaded file: ångström.pdf'],
        ['Viewed file: Ångström.pdf', 'viewed file: ångström.pdf'],
      ].map(([details, first]) => ({ details, search_text: `${first}\n\nu\n` })),
    );
  });
});
