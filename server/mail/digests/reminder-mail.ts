// The mail that reminds somebody of reports that nobody of their company has opened. What it names is read when it is sent.
import { sql } from 'kysely';
import { z } from 'zod';
import { counted } from '#contract/plain-words.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { mailKind, NOT_WANTED, personOf, REPORTS_PAGE } from '../mail-kind.ts';
import { ownChoice } from './choices.ts';
import { endingLink } from './ending.ts';
import { moreThanNamed, NAMED_MAX } from './sources.ts';

interface Unopened {
  readonly name: string;
  readonly clientName: string;
  readonly typeName: string;
  readonly total: number;
}

/** Of the reports that somebody was reminded of at `at`: those that the person sees and still nobody has opened, what waits longest first. */
async function readUnopened(scope: ReadScope, at: number): Promise<readonly Unopened[]> {
  return scope
    .files()
    .innerJoin('file_reminders', 'file_reminders.file_id', 'files.id')
    .innerJoin('clients', 'clients.id', 'files.client_id')
    .innerJoin('report_types', 'report_types.id', 'files.report_type_id')
    .select([
      'files.original_name as name',
      'clients.name as clientName',
      'report_types.name as typeName',
      sql<number>`count(*) over ()`.as('total'),
    ])
    .where('file_reminders.reminded_at', '=', at)
    .where('files.opened_by_client_at', 'is', null)
    .orderBy('files.uploaded_at')
    .orderBy('files.id')
    .limit(NAMED_MAX)
    .execute();
}

export const reminderMail = mailKind({
  name: 'reminder',
  title: 'Reminder of reports not opened',
  facts: z.strictObject({ at: z.int() }),
  async outdated(mail, now) {
    const person = await personOf(mail, now);
    if (typeof person === 'string') return person;
    // What is usual says how often people hear of news, not whether somebody may remind them.
    return (await ownChoice(now.db, person.id, 'reports'))?.pace === 'never' ? NOT_WANTED : null;
  },

  async contents({ facts, userId }, { findPerson, readAs, sealer }) {
    const person = userId === null ? null : await findPerson(userId);
    if (person === null) return null;
    const files = await readUnopened(readAs(person), facts.at);
    const total = Number(files[0]?.total ?? 0);
    return total === 0 ? null : { files, total, ending: await endingLink(sealer, 'reports', person.id) };
  },

  letter(_mail, { product, link }, { files, total, ending }) {
    const heading = `${counted(total, 'report')} not opened yet`;
    return {
      subject: `${product}: ${heading}`,
      heading,
      paragraphs: [
        `Your firm reminds you: nobody of your company has opened ${total === 1 ? 'this report' : 'these reports'} yet.`,
      ],
      items: files.map(({ name, clientName, typeName }) => [name, `${clientName}, ${typeName}`] as const),
      ...moreThanNamed(total),
      button: { label: 'Open Reports', href: link(REPORTS_PAGE) },
      ending: {
        label: 'No more mails about new reports',
        href: link(`/end-mails#${ending}`),
        oneClick: link(`/api/digests/end?token=${ending}`),
      },
    };
  },
});
