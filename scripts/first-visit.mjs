// Which JavaScript a browser loads when it opens a page for the first time, read from the built chunks themselves.
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseAst } from 'vite';

/** What every page behind the sign-in is in. */
const FRAME = 'shell';

/** 'client-reports-7xf4_8sv.js' is the chunk of client-reports: Vite adds a hash of 8 characters. */
const nameOf = (file) => posix.basename(file).replace(/-[\w-]{8}\.js$/, '');

function* nodesIn(value) {
  if (Array.isArray(value)) for (const part of value) yield* nodesIn(part);
  else if (value !== null && typeof value === 'object') {
    if (typeof value.type === 'string') yield value;
    for (const part of Object.values(value)) yield* nodesIn(part);
  }
}

/** What an import names: minified, an `import()` holds a template without a gap. */
const namedBy = (source) => source?.value ?? (source?.quasis?.length === 1 ? source.quasis[0].value.cooked : undefined);

/** The chunks that one chunk cannot run without, and those that it may ask for later; paths below the web's folder. */
function readChunk(web, file) {
  const program = parseAst(readFileSync(join(web, file), 'utf8'));
  const needed = [];
  const later = [];
  for (const node of nodesIn(program)) {
    const named = namedBy(node.source);
    if (typeof named !== 'string' || !named.startsWith('./')) continue;
    (node.type === 'ImportExpression' ? later : needed).push(posix.join(dirname(file), named));
  }
  return { needed, later };
}

/**
 * Every page that the router leads to, with the chunks of its first visit; what a page loads only when it is used, such as
 * a dialog, the viewer or the palette, is in none of them. `web` is the folder that Vite built.
 */
export function firstVisits(web) {
  const html = readFileSync(join(web, 'index.html'), 'utf8');
  const entry = /<script[^>]*type="module"[^>]*src="\/([^"]+)"/.exec(html)?.[1];
  if (entry === undefined) throw new Error(`${web}/index.html names no script: was the web built?`);
  const chunks = new Map();
  const chunk = (file) => {
    if (!chunks.has(file)) chunks.set(file, readChunk(web, file));
    return chunks.get(file);
  };
  const withNeeded = (files, found = new Set()) => {
    for (const file of files) {
      if (found.has(file)) continue;
      found.add(file);
      withNeeded(chunk(file).needed, found);
    }
    return found;
  };
  // The first part of the application leads to all others.
  const start = withNeeded([entry]);
  const pages = [...new Set([...start].flatMap((file) => chunk(file).later))].filter((file) => !start.has(file));
  const frame = pages.find((file) => nameOf(file) === FRAME);
  if (frame === undefined) throw new Error(`The built web has no chunk named ${FRAME}`);
  const inside = pages
    .filter((file) => file !== frame)
    .map((file) => ({ name: nameOf(file), files: [...withNeeded([entry, frame, file])].sort() }));
  // The sign-in page is what the application starts with.
  return [...inside, { name: 'login', files: [...start].sort() }].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
}
