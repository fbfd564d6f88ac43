// Which test files a change asks for: `npm test -- --changed`, and `npm run steady` without a name.
import { dirname } from 'node:path';
import { root } from './prepare.mjs';
import { runQuietly, Stop } from './processes.mjs';
import { isTest } from './test-runners.mjs';

const NOUN_OF_SCREEN = /^web\/screens\/([^/]+)\//;
/** What every change of the server or of the contract may break: the door, and the rights behind it. */
const RIGHTS = /^server\/(api\/contract-|testing\/(matrix\/|policy-and-sql\.))/;
const MAIN_JOB = 'e2e/main-job.e2e.ts';

async function ask(...args) {
  const { code, output } = await runQuietly('git', args, { cwd: root });
  if (code !== 0)
    throw new Stop(`${output.trim()}\nWithout \`main\` nobody knows what has changed: name the test files.`);
  return output.split('\n').filter((line) => line !== '');
}

/** The files that are not as on `main`, committed or not, without those that are gone. */
export async function changedFiles() {
  const changed = await ask('diff', '--name-only', '--diff-filter=d', '--merge-base', 'main');
  return [...changed, ...(await ask('ls-files', '--others', '--exclude-standard'))];
}

/** The test files among them. */
export const changedTests = async () => (await changedFiles()).filter(isTest);

/** All files of the project that are tests. */
export const allTests = async () =>
  (await ask('ls-files', '--cached', '--others', '--exclude-standard')).filter(isTest);

/**
 * The tests of `all` that `changed` asks for: those that changed, those beside what changed, the browser tests of the screens that
 * changed, and those that hold for everything; of what browser tests share, the main job.
 * @param {readonly string[]} changed @param {readonly string[]} all
 */
export function testsFor(changed, all) {
  const folders = new Set(changed.map((file) => dirname(file)));
  const nouns = new Set(changed.map((file) => NOUN_OF_SCREEN.exec(file)?.[1]).filter((noun) => noun !== undefined));
  const isOfNoun = (file) => [...nouns].some((noun) => file.startsWith(`e2e/${noun}`));
  const touches = (...parts) => changed.some((file) => parts.some((part) => file.startsWith(`${part}/`)));
  const sharesJourneys = changed.some((file) => file.startsWith('e2e/') && !isTest(file));
  const isWanted = (file) => {
    if (changed.includes(file) || isOfNoun(file)) return true;
    if (file === MAIN_JOB) return touches('web') || sharesJourneys;
    if (RIGHTS.test(file)) return touches('server', 'contract');
    // The folder of the browser tests holds all of them, and each is a journey of its own.
    return !file.startsWith('e2e/') && folders.has(dirname(file));
  };
  return all.filter(isWanted);
}
