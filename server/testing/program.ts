// A program of the server in a process of its own: started, listened to, and ended by its own id.
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { NEVER_LATE } from './preloads.ts';
import { compileCache } from './test-environment.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs `node` with `args` in this environment and no other variable that the server reads; its event loop is never found late. `under`: a command that becomes it. */
export class Program {
  readonly #process: ChildProcess;
  readonly #exit: Promise<number | null>;
  out = '';
  err = '';

  constructor(args: readonly string[], environment: Readonly<Record<string, string>>, under: readonly string[] = []) {
    const env = { ...compileCache(), ...(under.length > 0 ? { PATH: process.env['PATH'] } : {}), ...environment };
    const [command = '', ...rest] = [...under, process.execPath, ...NEVER_LATE, ...args];
    this.#process = spawn(command, rest, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => {
      this.out += chunk.toString();
    });
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      this.err += chunk.toString();
    });
    this.#exit = new Promise((done) => this.#process.once('close', done));
  }

  /** The exit code, once everything it said has arrived; null when a signal ended it. */
  exit(): Promise<number | null> {
    return this.#exit;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.signal(signal);
    return this.#exit;
  }

  /** Resolves once it has said that; rejects when it ends instead. */
  async says(line: string): Promise<void> {
    while (!this.out.includes(line)) await this.#more();
  }

  /** The address it listens on, once its start no longer keeps it busy; rejects when it ends instead. */
  async serving(): Promise<string> {
    const origin = await this.#listening();
    await eventually(async () => expect((await fetch(`${origin}/healthz`)).status).toBe(200));
    return origin;
  }

  async #listening(): Promise<string> {
    // The lines between are written together with this one.
    await this.says('Second factors');
    return /is serving on (http:\S+)/.exec(this.out)?.[1] ?? '';
  }

  async #more(): Promise<void> {
    const more = new Promise<void>((heard) => this.#process.stdout?.once('data', () => heard()));
    const ended = this.#exit.then((code) => {
      throw new Error(`It ended with ${code}: ${this.err}`);
    });
    await Promise.race([more, ended]);
  }

  /** The password it showed, if it showed one. */
  get shownPassword(): string | undefined {
    return /^ *password +(\S+)$/m.exec(this.out)?.[1];
  }
}
