// The server and the operator's commands as processes of their own, which end with the test.
import { expect, onTestFinished } from 'vitest';
import { Program } from './program.ts';

/** Several starts, one after the other, of which a busy machine makes seconds each. */
export const STARTS_MS = 180_000;

function started(args: readonly string[], environment: Record<string, string>, under: readonly string[] = []): Program {
  const program = new Program(args, environment, under);
  onTestFinished(async () => {
    await program.end('SIGKILL');
  });
  return program;
}

/** `preloaded`: arguments of `node` before the program (`preloads.ts`); `under`: a command that becomes it. */
export const startServer = (
  environment: Record<string, string>,
  preloaded: readonly string[] = [],
  under: readonly string[] = [],
) => started([...preloaded, 'server/main.ts'], { PORT: '0', LOG_LEVEL: 'warn', ...environment }, under);

export const runAdmin = (args: readonly string[], environment: Record<string, string>) =>
  started(['server/admin.ts', ...args], environment);

/** Holds that a start failed with exactly one line that matches, and exit code 1. */
export async function expectRefusal(program: Program, line: RegExp): Promise<void> {
  expect([await program.exit(), program.out]).toEqual([1, '']);
  const lines = program.err.trimEnd().split('\n');
  expect(lines).toEqual([expect.stringMatching(line)]);
}
