// What an empty list says to somebody whose access lists are empty, or who may not fill it.
import type { FileType } from '#contract/file-kinds.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import { reachesEveryClient, reachesEveryReportType } from '#contract/policy/reach.ts';
import { empty } from '#web/lib/messages.ts';

/** Why no list of clients, or of what belongs to them, can hold anything for this person; null where one can. */
export function missingClients(person: ListedActor): string | null {
  return reachesEveryClient(person) || person.clientIds.length > 0 ? null : empty.noClientAccess;
}

/** The same of reports, which need a report type as well. */
export function missingReports(person: ListedActor): string | null {
  const typed = reachesEveryReportType(person) || person.reportTypeIds.length > 0;
  return missingClients(person) ?? (typed ? null : empty.noReportTypeAccess);
}

/** Below the empty list of somebody who may not upload what it shows. */
export const readersHint: Readonly<Record<FileType, string>> = {
  report: 'Reports appear here when they are uploaded.',
  company_document: 'Company documents appear here when they are uploaded.',
};
