// Finds a Chromium for the browser tests, or installs one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { aptGet, installWithAptGet } from './apt-get.mjs';
import { inProgramFolders, onPath, works } from './browsers.mjs';
import { root, whereNeeded } from './prepare.mjs';
import { Stop } from './processes.mjs';

/** A Chromium without a window: the same pages for little more than half of the processor's time. */
const LIGHT = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];

const NAMES = [...LIGHT, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const MAC_PATHS = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

const WINDOWS_PATHS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

function candidates() {
  if (process.platform === 'darwin') return MAC_PATHS;
  if (process.platform === 'win32') return inProgramFolders(WINDOWS_PATHS);
  return onPath(NAMES);
}

/** The browser that Playwright itself downloaded earlier, where it did. */
function playwrightsOwn(node) {
  const script =
    "const { chromium } = await import('@playwright/test'); process.stdout.write(chromium.executablePath());";
  const { stdout } = spawnSync(node, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
  return stdout === '' ? [] : [stdout];
}

function findInstalled(node) {
  return candidates().find(works) ?? playwrightsOwn(node).find(works);
}

const HOW_TO =
  'The browser tests need a Chromium, and none was found. Install Chromium or Chrome, or run `npx playwright install chromium`, ' +
  'or name one with CHROMIUM_PATH=/path/to/chromium.';

/** Says that this clone has asked for the light one, so that a system without it is not asked at every run. */
const ASKED = join(root, 'dist', '.light-chromium-asked');

/** Whether `found` will do. As root, in a container or on a build server, one more package is no intrusion. */
function isEnough(found) {
  if (found === undefined) return false;
  return LIGHT.includes(basename(found)) || process.getuid?.() !== 0 || aptGet() === undefined || existsSync(ASKED);
}

/** Installs the light one, or the whole one where the system has no other. Returns as well where neither could be had. */
async function install() {
  if (aptGet() === undefined) return;
  await installWithAptGet('Chromium', ['chromium-headless-shell', 'chromium']);
  mkdirSync(dirname(ASKED), { recursive: true });
  writeFileSync(ASKED, '');
}

/** Resolves to the path of a Chromium that starts; Stop says what to do where there is none. */
export async function prepareChromium(node) {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (works(named)) return named;
    throw new Stop(`CHROMIUM_PATH does not lead to a Chromium that starts: ${named}`);
  }
  await whereNeeded(() => isEnough(findInstalled(node)), install);
  const found = findInstalled(node);
  if (found === undefined) throw new Stop(HOW_TO);
  return found;
}
