// Searches and exports in a loop as an Admin, on a thread of its own, so that only the server makes others wait.
import { Agent, get } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface ReaderTask {
  readonly origin: string;
  readonly token: string;
  /** Each is requested in a loop, all of them concurrently. */
  readonly paths: readonly string[];
}

/** What became of one path until the end. */
export interface Done {
  readonly path: string;
  readonly answers: number;
  readonly longestMs: number;
  /** Lines that came, of the answer that was cut off too. */
  readonly lines: number;
  readonly statuses: readonly number[];
}

const NEWLINE = 10;

function linesIn(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

/** Resolves once `agent` is destroyed. */
async function repeat(agent: Agent, ended: () => boolean, { origin, token }: ReaderTask, path: string): Promise<Done> {
  let answers = 0;
  let lines = 0;
  let longestMs = 0;
  const statuses = new Set<number>();
  while (!ended()) {
    const askedAt = performance.now();
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${token}` };
      const asking = get(new URL(path, origin), { agent, headers }, (answer) => {
        statuses.add(answer.statusCode ?? 0);
        answer.on('data', (piece: Buffer) => {
          lines += linesIn(piece);
        });
        answer.once('error', () => {});
        answer.once('close', () => {
          if (answer.complete) answers += 1;
          resolve();
        });
      });
      asking.once('error', () => resolve());
    });
    longestMs = Math.max(longestMs, performance.now() - askedAt);
  }
  return { path, answers, lines, longestMs, statuses: [...statuses] };
}

/** Runs `work` while the Admin is busy with `paths`; returns what came of both. */
export async function whileAdminIsBusy<Result>(
  task: ReaderTask,
  work: () => Promise<Result>,
): Promise<{ result: Result; done: readonly Done[] }> {
  const worker = new Worker(import.meta.filename, { workerData: task });
  // Listened for from the start: where there is nothing to request, it comes at once.
  const done = new Promise<Done[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  done.catch(() => {});
  try {
    const result = await work();
    worker.postMessage('end');
    return { result, done: await done };
  } finally {
    await worker.terminate();
  }
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const task = workerData as ReaderTask;
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  port.once('message', () => {
    isOver = true;
    agent.destroy();
  });
  port.postMessage(await Promise.all(task.paths.map((path) => repeat(agent, () => isOver, task, path))));
}
