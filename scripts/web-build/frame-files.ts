// Names the files of the frame in the page, so that a signed-in person's browser asks for them at once (web/public/start.js).
import type { Plugin } from 'vite';

/** Behind the sign-in, every page is in it. */
const FRAME = /\/web\/app\/shell\.tsx$/;

interface BuiltChunk {
  readonly type: string;
  readonly facadeModuleId?: string | null;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}

/** The files that one chunk cannot do without: scripts and styles. */
function neededBy(bundle: Readonly<Record<string, BuiltChunk>>, file: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (found.has(file) || chunk === undefined) return found;
  found.add(file);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const needed of chunk.imports ?? []) neededBy(bundle, needed, found);
  return found;
}

export function frameFiles(): Plugin {
  return {
    name: 'frame-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = bundle as Readonly<Record<string, BuiltChunk>>;
        const fileOf = (is: (chunk: BuiltChunk) => boolean | undefined) =>
          Object.keys(chunks).find((file) => is(chunks[file] as BuiltChunk));
        const frame = fileOf(({ facadeModuleId }) => FRAME.test(facadeModuleId ?? ''));
        const entry = fileOf(({ isEntry }) => isEntry);
        if (frame === undefined || entry === undefined) throw new Error('The frame or the start was not built');
        // What the start needs is in the page already.
        const start = neededBy(chunks, entry);
        const files = [...neededBy(chunks, frame)].filter((file) => !start.has(file)).map((file) => `/${file}`);
        return [{ tag: 'meta', attrs: { name: 'frame-files', content: files.join(' ') }, injectTo: 'head-prepend' }];
      },
    },
  };
}
