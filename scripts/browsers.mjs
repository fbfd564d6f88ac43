// Finds the browsers that are installed on this machine.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** Where programs of these names may stand, by the PATH. */
export function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** Where Windows installs programs, with each of `paths` below it. */
export function inProgramFolders(paths) {
  const { ProgramFiles, 'ProgramFiles(x86)': olderProgramFiles, LOCALAPPDATA } = process.env;
  const folders = [ProgramFiles, olderProgramFiles, LOCALAPPDATA].filter(Boolean);
  return folders.flatMap((folder) => paths.map((path) => join(folder, path)));
}

/** Some systems carry a browser's name that only says where to get one; Windows opens a window when asked. */
export function works(path) {
  if (!existsSync(path)) return false;
  if (process.platform === 'win32') return true;
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return status === 0 && /\d+\.\d+/.test(stdout);
}
