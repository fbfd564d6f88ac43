// How a list of reports words a failure (spec 8).
import { ApiFault } from '#web/lib/api.ts';
import { failed } from '#web/lib/messages.ts';

export function reportFault(error: Error): string {
  return error instanceof ApiFault && error.status > 0 ? failed.fetchReports(error.status) : failed.fetchFiles;
}
