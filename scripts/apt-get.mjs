// Installs a package of the system, where this user may.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { runStep, say } from './processes.mjs';

/** How this user may run apt-get, or undefined. */
export function aptGet() {
  if (process.platform !== 'linux' || spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  if (process.getuid() === 0) return ['apt-get'];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n', 'apt-get'] : undefined;
}

/**
 * Installs the first of `packages` that the system has, with `more` options; `what` is said about it. Returns as well where apt-get is none of this user's, or
 * none could be had: whoever needs it looks for it afterwards.
 */
export async function installWithAptGet(what, packages, more = []) {
  const apt = aptGet();
  if (apt === undefined) return;
  say(`Installing ${what} with apt-get (once)…`);
  const [program, ...args] = apt;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // stdout of this command ends with the totals of the tests; the package manager speaks on stderr.
  const options = { env, stdio: ['ignore', process.stderr, process.stderr] };
  // A stale list still installs well where the mirror has not moved on, so only the second step decides.
  await runStep(program, [...args, 'update', '-qq'], options);
  for (const name of packages) {
    if ((await runStep(program, [...args, 'install', '-y', '-qq', ...more, name], options)) === 0) break;
  }
}
