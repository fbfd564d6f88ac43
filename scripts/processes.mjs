// Starts other programs, forwards the signals this one gets, and reports how they ended.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';

/** An error whose message is enough for the operator; it needs no stack. */
export class Stop extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** One line of progress. It goes to stderr, because stdout belongs to the command. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

const FORWARD_AFTER_MS = 300;

const running = new Set();
let lastSignal = { name: undefined, atMs: 0 };

const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 0);

/** The whole foreground group of a terminal already gets what its keys and its closing send. */
const sentByTerminal = (signal) =>
  signal !== 'SIGTERM' && Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY);

function forward(signal) {
  const nowMs = Date.now();
  // npm repeats a Ctrl-C that the terminal already sent; a child must not treat that as a second, impatient one.
  if (signal === lastSignal.name && nowMs - lastSignal.atMs < 1000) return;
  lastSignal = { name: signal, atMs: nowMs };
  if (running.size === 0) process.exit(exitCodeOf(signal));
  if (sentByTerminal(signal)) return;
  // A signal to the whole group reaches the children too; only those that still run after a moment did not get it.
  setTimeout(() => {
    for (const child of running) child.kill(signal);
  }, FORWARD_AFTER_MS);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => forward(signal));

// npm passes SIGTERM to a shell that ends without telling us; then losing that parent is the signal.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    forward('SIGTERM');
  }, 250);
  watch.unref();
}

/** Once this program was asked to end, nothing further is started. */
function stopIfEnding() {
  if (lastSignal.name !== undefined) throw new Stop('Interrupted.', exitCodeOf(lastSignal.name));
}

function follow(child, program) {
  running.add(child);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(child);
      reject(new Stop(`${program} could not be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? exitCodeOf(signal));
    });
  });
}

/** Runs a program on this terminal; resolves to its exit code. */
export function run(program, args, options = {}) {
  return follow(spawn(program, args, { stdio: 'inherit', ...options }), program);
}

/** As `run`, for one step of several: Stop where the program was asked to end meanwhile. */
export async function runStep(program, args, options) {
  const code = await run(program, args, options);
  stopIfEnding();
  return code;
}

/** As `runStep`, out of sight; resolves to the exit code and all that was printed. */
export async function runQuietly(program, args, options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const code = await follow(child, program);
  stopIfEnding();
  return { code, output: Buffer.concat(chunks).toString() };
}

/** Runs several programs on this terminal until one ends, then ends the others; resolves to the first one's exit code. */
export async function runTogether(commands) {
  const children = commands.map(({ program, args, options }) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options });
    return { child, ended: follow(child, program) };
  });
  const code = await Promise.race(children.map(({ ended }) => ended));
  for (const { child } of children) child.kill('SIGTERM');
  await Promise.all(children.map(({ ended }) => ended));
  return code;
}
