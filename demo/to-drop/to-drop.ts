// What the demo has for people to drop into Batches: two print files and a folder of loose files, none of it on file yet.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Company } from '../companies.ts';
import { createRenderer } from '../documents/render.ts';
import { looseFiles } from './mail.ts';
import { payRunFile } from './pay-run.ts';
import { quarterFile } from './quarter.ts';

/** In the demo's folder. */
export const TO_DROP = 'to-drop';
const LOOSE = 'mail-and-downloads';

/** Draws them into `folder`, which is made. */
export async function writeToDrop(companies: readonly Company[], folder: string): Promise<void> {
  const render = createRenderer();
  await mkdir(join(folder, LOOSE), { recursive: true });
  const put = ({ name, bytes }: { name: string; bytes: Uint8Array }, ...within: string[]) =>
    writeFile(join(folder, ...within, name), bytes);
  await put(await payRunFile(companies, render));
  await put(await quarterFile(companies));
  for (const file of await looseFiles(render)) await put(file, LOOSE);
}
