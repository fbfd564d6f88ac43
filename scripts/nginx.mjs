// Installs an nginx for the tests of several servers behind one, on a build server; elsewhere they run where one is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { aptGet, installWithAptGet } from './apt-get.mjs';
import { whereNeeded } from './prepare.mjs';
import { say } from './processes.mjs';

/** What Debian asks before a package starts its service; 101 is no. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Where the tests look for it. */
const PATHS = JSON.parse(readFileSync(new URL('../server/testing/nginx-paths.json', import.meta.url), 'utf8'));

const isInstalled = () => PATHS.some((path) => spawnSync(path, ['-v']).status === 0);

/** Runs `work` while no package starts a service: the tests start an nginx of their own, on ports of their own. */
async function withoutServices(work) {
  let isOurs = false;
  try {
    // One that is there already, as in most containers, has its own reasons.
    writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { flag: 'wx', mode: 0o755 });
    isOurs = true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    await work();
  } finally {
    if (isOurs) rmSync(POLICY);
  }
}

/** With `CI` set, and as root where there is apt-get, nginx is installed; without it the tests that need one are skipped and say so. */
export async function prepareNginx() {
  if (!process.env.CI || process.getuid?.() !== 0 || aptGet() === undefined) return;
  await whereNeeded(isInstalled, () => withoutServices(() => installWithAptGet('nginx', ['nginx-light', 'nginx'])));
  if (!isInstalled()) say('nginx could not be installed: the tests of several servers are skipped.');
}
