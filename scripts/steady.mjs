// Runs test files again and again while every core is busy: what passes by luck on a quiet machine fails here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import { root } from './prepare.mjs';
import { Stop, say } from './processes.mjs';
import { countOf, failureLines } from './test-results.mjs';
import { isTest, runFile } from './test-runners.mjs';

/** Keeps a core busy, and ends by itself where the process that started it is killed. */
const BUSY = 'while (process.ppid === Number(process.argv[1]));';

/** Keeps every core busy during `work(ids)`, `ids` being those of the busy processes. */
export async function besideBusyCores(node, work) {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(node, ['--eval', BUSY, String(process.pid)], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const ended = Promise.all(busy.map((child) => once(child, 'exit')));
  try {
    return await work(busy.map(({ pid }) => pid));
  } finally {
    for (const child of busy) child.kill('SIGKILL');
    await ended;
  }
}

/** Resolves to what is wrong with one run of a file, or undefined where it passed. */
async function failureOf(node, only) {
  const result = await runFile(node, only);
  const [failure] = failureLines(result);
  return failure ?? (countOf(result.files, 'passed') > 0 ? undefined : 'no test of it ran');
}

/**
 * Runs each file `rounds` times; `env` says where the browsers are.
 * @returns {Promise<{ file: string, passed: number, failure?: string }[]>} `failure`: the first one
 */
export async function countPasses(node, files, rounds, env) {
  const counts = [];
  for (const [index, file] of files.entries()) {
    const failures = [];
    for (let round = 1; round <= rounds; round += 1) {
      say(`\n${file}, ${round} of ${rounds}:`);
      const failure = await failureOf(node, { file, name: `steady-${index + 1}-${round}`, env });
      if (failure !== undefined) failures.push(failure);
    }
    counts.push({ file, passed: rounds - failures.length, failure: failures[0] });
  }
  return counts;
}

/** The test file that is called `name` from the root, named as the reports do. */
export function testNamed(name) {
  const file = relative(root, resolve(root, name)).replaceAll('\\', '/');
  if (!isTest(file)) throw new Stop(`\`${name}\` is no test file: they end with \`.test.ts\` or \`.e2e.ts\`.`);
  if (!existsSync(join(root, file))) throw new Stop(`There is no file \`${name}\`.`);
  return file;
}
