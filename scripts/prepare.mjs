// Makes a clone ready to run: packages, the pinned Node and the built web application, each only where missing or stale.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { runQuietly, Stop, say } from './processes.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const modules = join(root, 'node_modules');
export const dist = join(root, 'dist');
export const web = join(dist, 'web');
const webStamp = join(dist, 'web.stamp');

/** `node:sqlite`, `crypto.argon2` and TypeScript without a build are all there from this one on. */
const OLDEST_NODE = [24, 7];

const seconds = (sinceMs) => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;

/** Runs `work` where `isReady` says no, one process at a time. */
export async function whereNeeded(isReady, work) {
  if (isReady()) return;
  await withLock(
    join(dist, '.preparing'),
    async () => {
      if (!isReady()) await work();
    },
    () => say('Another command is preparing this folder; waiting for it…'),
  );
}

// ---- Packages ---------------------------------------------------------------------------------------------------

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The package of the lockfile that holds Node for this platform. */
export const platformNode = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * Whether node_modules holds what the lockfile asks for. npm records what it installed as its last act, so that file
 * also shows an interrupted installation, and one without development packages.
 */
function isInstalled() {
  const wanted = readLockfile();
  const present = readJson(join(modules, '.package-lock.json'))?.packages;
  if (wanted === undefined) throw new Stop('package-lock.json is missing or broken: restore it from the repository.');
  if (present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const mayBeAbsent = entry.optional === true && path !== `node_modules/${platformNode}`;
    return path in present ? present[path].version === entry.version : mayBeAbsent;
  });
}

/** `package-lock.json`: each package by its path below the clone. */
export const readLockfile = () => readJson(join(root, 'package-lock.json'))?.packages;

/** The npm that started this, on the Node that it runs on; otherwise the one of the PATH. */
export function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  if (cli && node && basename(cli) === 'npm-cli.js' && existsSync(cli) && !node.startsWith(modules)) {
    return { program: node, args: [cli], options: {} };
  }
  const windows = process.platform === 'win32';
  return { program: windows ? 'npm.cmd' : 'npm', args: [], options: { shell: windows } };
}

/** `npm ci` empties `node_modules` first: through a symbolic link that would be another clone's folder. */
function refuseLinkedModules() {
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new Stop(
    'node_modules is a symbolic link, and what it points to does not match package-lock.json. ' +
      'Installing would empty that folder: remove the link and run the command again, or install there.',
  );
}

async function install() {
  refuseLinkedModules();
  const startedMs = Date.now();
  say('Installing packages (once; about a minute)…');
  const { program, args, options } = npm();
  // The PATH that npm gave us leads into the folder that `npm ci` is about to replace.
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== join(modules, '.bin'));
  const { code, output } = await runQuietly(
    program,
    [...args, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, env: { ...process.env, PATH: path.join(delimiter) }, ...options },
  );
  if (code !== 0)
    throw new Stop(`${output.trim()}\nThe packages could not be installed: see above, then run \`npm ci\`.`);
  // A third of Node's package is headers to compile native modules against, and there are none.
  rmSync(join(modules, platformNode, 'include'), { recursive: true, force: true });
  say(`Installed packages in ${seconds(startedMs)}.`);
}

// ---- Node -------------------------------------------------------------------------------------------------------

function isRecentEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** The Node that the lockfile pins for this platform, or the one running this where there is none. */
function findNode() {
  const pinned = join(modules, platformNode, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(pinned)) {
    if (realpathSync(pinned) === realpathSync(process.execPath)) return pinned;
    // A system without the C library that this binary wants cannot run it.
    if (spawnSync(pinned, ['--version']).status === 0) return pinned;
  }
  if (isRecentEnough(process.version)) return process.execPath;
  throw new Stop(
    `Node ${OLDEST_NODE.join('.')} or newer is needed: there is none in the lockfile for ${process.platform} ${process.arch}, and this is ${process.version}.`,
  );
}

/** Installs what is missing; resolves to the Node that everything runs on. */
export async function prepareNode() {
  await whereNeeded(isInstalled, install);
  const node = findNode();
  process.env.PATH = [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter);
  return node;
}

/** The script behind a package's command, to be run by our Node on every platform alike. */
export function commandOf(packageName, command = packageName) {
  const folder = join(modules, packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

// ---- The web application ----------------------------------------------------------------------------------------

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));
}

/** A fingerprint of all that folders and single files of the clone hold, tests left out. */
function fingerprintOf(folders, single) {
  const files = [...folders.flatMap((name) => filesIn(join(root, name))), ...single.map((name) => join(root, name))];
  const hash = createHash('sha256');
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

const webFingerprint = () =>
  fingerprintOf(
    ['web', 'contract', 'scripts/web-build'],
    ['vite.config.ts', 'tsconfig.base.json', 'tsconfig.web.json', 'package.json', 'package-lock.json'],
  );

const isStamped = (stamp, fingerprint) => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;

const isBuiltFrom = (fingerprint) => existsSync(join(web, 'index.html')) && isStamped(webStamp, fingerprint);

async function build(node, fingerprint) {
  const startedMs = Date.now();
  say('Building the web application…');
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (/^web\.(next|old)-\d+$/.test(name)) rmSync(join(dist, name), { recursive: true, force: true });
  }
  // Built next to the old one and then exchanged, so that a running server never serves half of each.
  const next = join(dist, `web.next-${process.pid}`);
  const old = join(dist, `web.old-${process.pid}`);
  const { code, output } = await runQuietly(
    node,
    [commandOf('vite'), 'build', '--config', 'vite.config.ts', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (code !== 0) throw new Stop(`${output.trim()}\nThe web application could not be built.`);
  if (output.trim() !== '') say(output.trim());
  rmSync(webStamp, { force: true });
  if (existsSync(web)) renameSync(web, old);
  renameSync(next, web);
  writeFileSync(webStamp, fingerprint);
  rmSync(old, { recursive: true, force: true });
  say(`Built the web application in ${seconds(startedMs)}.`);
}

/** Builds `dist/web` where it is missing or older than its sources. */
export async function prepareWeb(node) {
  const fingerprint = webFingerprint();
  await whereNeeded(
    () => isBuiltFrom(fingerprint),
    () => build(node, fingerprint),
  );
}

// ---- The server -------------------------------------------------------------------------------------------------

/** Where `server/process-settings.json` has Node cache compiled code. */
const compiled = join(dist, 'compile-cache');
const compiledStamp = join(dist, 'compile-cache.stamp');

/**
 * Deletes compiled code of another version: Node would reuse what still fits, and a process made of both ran up to half
 * as fast as one made of either.
 */
export function prepareCompiled() {
  const fingerprint = fingerprintOf(['server', 'contract'], ['package-lock.json']);
  if (isStamped(compiledStamp, fingerprint)) return;
  rmSync(compiled, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  writeFileSync(compiledStamp, fingerprint);
}
