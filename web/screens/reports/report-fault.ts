// How a list of reports words a failure (docs/behaviour.md, Errors).
import { ApiFault } from '#web/lib/api-fault.ts';
import { failed } from '#web/lib/messages.ts';
import { reportFailed } from './report-messages.ts';

export function reportFault(error: Error): string {
  return error instanceof ApiFault && error.status > 0 ? reportFailed.fetchReports(error.status) : failed.fetchFiles;
}
