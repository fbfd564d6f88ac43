// What `npm run dev` runs: the server and Vite, each watching its own sources, with one environment.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { commandOf, root } from './prepare.mjs';
import { runTogether, say } from './processes.mjs';

/**
 * The environment to develop with in the clone `folder`: the demo firm's where `npm run demo` made one and nothing else is
 * named.
 */
export function environmentIn(folder, environment) {
  const { DATA_DIR, DATABASE_URL, BLOB_URL } = environment;
  if (DATA_DIR || DATABASE_URL || BLOB_URL) return environment;
  const demo = JSON.parse(readFileSync(new URL('../demo/place.json', import.meta.url), 'utf8'));
  if (!existsSync(join(folder, demo.folder, demo.marker))) return environment;
  return { ...environment, DATA_DIR: demo.folder };
}

/** Runs until either ends; `args` go to Vite. */
export function develop(node, args) {
  const env = environmentIn(root, process.env);
  if (env.DATA_DIR !== process.env.DATA_DIR) {
    say(`On the demo firm in ${env.DATA_DIR}; its accounts and their password are those that npm run demo printed.`);
  }
  return runTogether([
    { program: node, args: ['--watch', '--watch-preserve-output', 'server/main.ts'], options: { cwd: root, env } },
    { program: node, args: [commandOf('vite'), '--config', 'vite.config.ts', ...args], options: { cwd: root, env } },
  ]);
}
