// Finds a Firefox for the test of the main job in a second browser, or installs one; without one that test is skipped and says so.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { aptGet, installWithAptGet } from './apt-get.mjs';
import { inProgramFolders, onPath, works } from './browsers.mjs';
import { root, whereNeeded } from './prepare.mjs';
import { Stop, say } from './processes.mjs';

function candidates() {
  if (process.platform === 'darwin') return ['/Applications/Firefox.app/Contents/MacOS/firefox'];
  if (process.platform === 'win32') return inProgramFolders(['Mozilla Firefox\\firefox.exe']);
  return onPath(['firefox-esr', 'firefox']);
}

const findInstalled = () => candidates().find(works);

/** Says that this clone has asked for one, so that a system without it is not asked at every run. */
const ASKED = join(root, 'dist', '.firefox-asked');

async function install() {
  // What it recommends are drivers for videos, several times as much.
  await installWithAptGet('Firefox', ['firefox-esr'], ['--no-install-recommends']);
  mkdirSync(dirname(ASKED), { recursive: true });
  writeFileSync(ASKED, '');
}

/** Resolves to the path of a Firefox, or undefined. It is installed for root alone: in a container or on a build server. */
export async function prepareFirefox() {
  const named = process.env.FIREFOX_PATH;
  if (named) {
    if (works(named)) return named;
    throw new Stop(`FIREFOX_PATH does not lead to a Firefox that starts: ${named}`);
  }
  const mayInstall = process.getuid?.() === 0 && aptGet() !== undefined;
  const isEnough = () => findInstalled() !== undefined || !mayInstall || existsSync(ASKED);
  await whereNeeded(isEnough, install);
  const found = findInstalled();
  if (found === undefined) say('There is no Firefox: the main job is tested in Chromium alone.');
  return found;
}
