// Names the typeface, and the files of the frame and of the homes, in the page, so that browsers ask for them early (web/public/start.js).
import type { Plugin } from 'vite';

/** Behind the sign-in, every page is in it. */
const FRAME = /\/web\/app\/shell\.tsx$/;
/** One of them is what a person sees first after the sign-in. */
const HOMES = /\/web\/screens\/(dashboard\/dashboard|overview\/overview)\.tsx$/;

/** Of the typeface what every page is written in. */
const TYPEFACE = /inter-latin-wght-normal-[\w-]{8}\.woff2$/;

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
        const filesOf = (is: (chunk: BuiltChunk) => boolean | undefined) =>
          Object.keys(chunks).filter((file) => is(chunks[file] as BuiltChunk));
        const frames = filesOf(({ facadeModuleId }) => FRAME.test(facadeModuleId ?? ''));
        const homes = filesOf(({ facadeModuleId }) => HOMES.test(facadeModuleId ?? ''));
        const entries = filesOf(({ isEntry }) => isEntry);
        if (frames.length !== 1 || homes.length !== 2 || entries.length !== 1) {
          throw new Error('The frame, a home or the start was not built');
        }
        /** What these need beyond `known`. */
        const beyond = (known: ReadonlySet<string>, files: readonly string[]) =>
          new Set(files.flatMap((file) => [...neededBy(chunks, file)]).filter((file) => !known.has(file)));
        const start = neededBy(chunks, entries[0] as string);
        const frame = beyond(start, frames);
        const home = beyond(new Set([...start, ...frame]), homes);
        const named = (name: string, files: ReadonlySet<string>) => ({
          tag: 'meta',
          attrs: { name, content: [...files].map((file) => `/${file}`).join(' ') },
          injectTo: 'head-prepend' as const,
        });
        const typeface = Object.keys(bundle).filter((file) => TYPEFACE.test(file));
        if (typeface.length !== 1) throw new Error('The typeface was not built');
        // Asked for by the page itself: found in a style only, it would come after the first paint.
        const preload = {
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${typeface[0]}` },
          injectTo: 'head' as const,
        };
        return [named('frame-files', frame), named('home-files', home), preload];
      },
    },
  };
}
