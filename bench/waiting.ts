// Nobody waits for somebody else's query: scoped lists at a steady pace while an Admin searches and exports.
import { type Done, whileAdminIsBusy } from './busy-admin.ts';
import { Broken } from './load.ts';
import { countTitle, mark, ms, rate, say, sayTable } from './report.ts';
import { scenarioLoad } from './scenarios.ts';
import type { Settings } from './settings.ts';
import { loadSteadily } from './steady-load.ts';
import type { TestBed } from './test-bed.ts';

const READS_A_SECOND = 200;
const P99_MAX_MS = 25;

/** In a few entries of a million, and in none of a small log. */
const RARE = '77777';
const SEARCH_LOG = `/api/activity-logs?limit=50&q=${RARE}`;
const SEARCH_FILES = `/api/files?limit=50&q=${RARE}`;
const EXPORT_LOG = '/api/activity-logs/export';
const EXPORT_FILES = '/api/files/export';

const cases: readonly { readonly title: string; readonly paths: readonly string[] }[] = [
  { title: 'nothing else', paths: [] },
  { title: 'the log searched for a rare word', paths: [SEARCH_LOG] },
  { title: 'file names searched for a rare word', paths: [SEARCH_FILES] },
  { title: 'all of the log exported', paths: [EXPORT_LOG] },
  { title: 'all files exported', paths: [EXPORT_FILES] },
  { title: 'the log searched and exported', paths: [SEARCH_LOG, EXPORT_LOG] },
];

function describeDone({ path, answers, lines, longestMs }: Done): string {
  return path.endsWith('/export')
    ? `${lines.toLocaleString('en-US')} rows`
    : `${answers.toLocaleString('en-US')} searches, longest ${ms(longestMs)} ms`;
}

export async function measureWaiting({ firm, application, tokens }: TestBed, { steady }: Settings): Promise<void> {
  const { requests } = scenarioLoad('scoped-list', firm, tokens);
  const rows: string[][] = [];
  for (const { title, paths } of cases) {
    const { result, done } = await whileAdminIsBusy({ origin: application.origin, token: tokens.admin, paths }, () =>
      loadSteadily(application, requests, READS_A_SECOND, steady),
    );
    const wrong = done.find(({ statuses }) => statuses.some((status) => status !== 200));
    if (wrong !== undefined) throw new Broken(`${wrong.path} was answered ${wrong.statuses.join(', ')}`);
    rows.push([
      title,
      rate((result.asked * 1000) / steady.durationMs),
      `${ms(result.p50Ms)} / ${ms(result.p99Ms)}`,
      ms(result.longestMs),
      done.map(describeDone).join('; '),
      `p99 < ${P99_MAX_MS} ms`,
      mark(result.p99Ms < P99_MAX_MS),
    ]);
    say(`  measured: ${title}`);
  }
  sayTable(
    `Scoped lists at ${READS_A_SECOND} a second over ${countTitle(firm.fileCount)} files, while an Admin is busy; each wait counts from when it was due`,
    ['', 'req/s', 'p50 / p99 ms', 'longest', 'done by the Admin', 'target', ''],
    rows,
  );
}
