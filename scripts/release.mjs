// The command `npm run release`: builds an archive that runs where it is unpacked, its bill of materials and their checksums.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { dist, modules, npm, platformNode, readLockfile, root, web } from './prepare.mjs';
import { runQuietly, Stop, say } from './processes.mjs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

// ---- What is shipped --------------------------------------------------------------------------------------------

/** The packages that the server needs, as folders below the clone: each without what lies nested in it. */
function serverPackages() {
  return Object.entries(readLockfile())
    .filter(([path, { dev }]) => path !== '' && !dev && path !== `node_modules/${platformNode}`)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

const LEGAL = /^(licen[cs]e|notice|copying)/i;

/**
 * What Node never reads of a package: its tests, source maps, types, sources in TypeScript (which it refuses to run from
 * node_modules) and texts for people, but for those about rights.
 */
const unread = (name) =>
  /^(tests?|__tests__|benchmarks?|examples?|\.github)$|\.(test\.[cm]?js|map|ts|mts|cts|tsx|flow|md|markdown)$/i.test(
    name,
  ) && !LEGAL.test(name);

/** Large parts of packages that the server needs, which it never loads: the same code in other forms. */
const unloaded = new Set(
  [
    ...['pdfjs-dist/build', 'pdfjs-dist/web', 'pdfjs-dist/image_decoders', 'pdfjs-dist/legacy/web'],
    ...['pdf', 'pdf.worker', 'pdf.sandbox', 'pdf.sandbox.min'].map((name) => `pdfjs-dist/legacy/build/${name}.mjs`),
    'pdfjs-dist/wasm/quickjs-eval.wasm',
    ...['pdfjs-dist/legacy/image_decoders', '@cantoo/pdf-lib/cjs', '@cantoo/pdf-lib/dist'],
    ...['', '-lstm', '-simd', '-relaxedsimd', '-relaxedsimd-lstm'].flatMap((form) =>
      ['js', 'wasm', 'wasm.js'].map((ending) => `tesseract.js-core/tesseract-core${form}.${ending}`),
    ),
    ...['tesseract.js-core/tesseract-core-simd-lstm.wasm.js', '@tesseract.js-data/eng/4.0.0'],
  ].map((path) => join(modules, path)),
);

function copyPackage(path, folder) {
  const from = join(root, path);
  const isCopied = (source) =>
    basename(source) !== 'node_modules' && !unread(basename(source)) && !unloaded.has(source);
  cpSync(from, join(folder, path), { recursive: true, filter: (source) => source === from || isCopied(source) });
}

/** The server's own code, which Node runs as it is written; neither tests nor what they are made with. */
function copySources(folder) {
  for (const name of ['contract', 'server']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (source) => !/\.test\.ts$/.test(source) && relative(root, source) !== join('server', 'testing'),
    });
  }
}

/** Those that the documents lead to. */
const TEXTS = ['LICENSE', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The packages in the built web, as Vite recorded them: a name, a version and a licence each. */
const bundledInWeb = () => readJson(join(web, '.vite', 'license.json'));

function writeWebLicences(path) {
  const texts = bundledInWeb().map(
    ({ name, version, identifier = '', text = '' }) => `## ${name} ${version} ${identifier}\n\n${text}\n`,
  );
  writeFileSync(
    path,
    `# Licences of the web application\n\nIt holds code of these packages. Those of the server keep their licence in their own folder below node_modules.\n\n${texts.join('\n')}`,
  );
}

// ---- How it is started ------------------------------------------------------------------------------------------

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Fills the template of the start script with the flags and variables that `npm start` gives the server. */
function writeStartScript(path) {
  const { nodeFlags, environment } = readJson(join(root, 'server/process-settings.json'));
  // The one that names a folder means a folder of the installation; what the operator sets is.
  const variables = Object.entries(environment).map(([name, value]) =>
    name === 'NODE_COMPILE_CACHE'
      ? `: "\${${name}=$home/${value}}"; export ${name}`
      : `: "\${${name}=${value}}"; export ${name}`,
  );
  const script = readFileSync(join(root, 'scripts/release/coffer.sh'), 'utf8')
    .replace('#ENVIRONMENT#', () => variables.join('\n'))
    .replace('#NODE_FLAGS#', () => nodeFlags.map(quoted).join(' '));
  writeFileSync(path, script);
  chmodSync(path, 0o755);
}

/** What Node reads of package.json: the module type and what `#server/` means. */
function writePackage(path, { name, version, description, license, type, imports, dependencies }) {
  const { '#web/*': _, ...kept } = imports;
  writeJson(path, { name, version, description, license, private: true, type, imports: kept, dependencies });
}

// ---- The bill of materials --------------------------------------------------------------------------------------

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * The CycloneDX bill of all that the archive holds. npm is asked for the whole clone and the rest is taken out here: its own
 * `--omit=dev` also leaves out every package that something of development needs as well.
 */
async function billOfMaterials({ name, version, packages, madeAt }) {
  const { program, args, options } = npm();
  const { code, output } = await runQuietly(
    program,
    [...args, 'sbom', '--sbom-format=cyclonedx', '--loglevel=silent'],
    { cwd: root, ...options },
  );
  if (code !== 0) throw new Stop(`${output.trim()}\nnpm could not list the packages.`);
  const bill = JSON.parse(output);
  const lock = readLockfile();
  const shipped = new Set([
    ...packages.map((path) => `${nameOf(path)}@${lock[path].version}`),
    ...bundledInWeb().map((bundled) => `${bundled.name}@${bundled.version}`),
  ]);
  const own = bill.metadata.component['bom-ref'];
  const kept = (ref) => ref === own || shipped.has(ref);
  const { serialNumber: _, ...rest } = bill;
  return {
    ...rest,
    // The same sources make the same bill: no moment and no number of its making.
    metadata: {
      ...bill.metadata,
      timestamp: madeAt.toISOString(),
      component: { ...bill.metadata.component, type: 'application', name, version },
    },
    components: [...new Map(bill.components.map((component) => [component['bom-ref'], component])).entries()]
      .filter(([ref]) => kept(ref))
      .map(([ref, component]) => ({
        ...component,
        // A package that is in another's place is listed as itself.
        name: ref.slice(0, ref.lastIndexOf('@')),
        properties: component.properties.filter((property) => property.name !== 'cdx:npm:package:development'),
      })),
    dependencies: bill.dependencies
      .filter(({ ref }) => kept(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(kept) })),
  };
}

// ---- The archive ------------------------------------------------------------------------------------------------

/** When the sources were committed: every file of the archive bears it, so that the same sources make the same archive. */
function timeOfSources() {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  if (given) return new Date(Number(given) * 1000);
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? new Date(Number(stdout) * 1000) : new Date();
}

async function pack(parent, name, archive, madeAt) {
  const { code, output } = await runQuietly('tar', [
    '--create',
    `--file=${archive}`,
    '--use-compress-program=gzip -n',
    `--directory=${parent}`,
    '--format=gnu',
    '--sort=name',
    `--mtime=@${madeAt.getTime() / 1000}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=a+rX,u+w,go-w',
    name,
  ]);
  if (code !== 0) throw new Stop(`${output.trim()}\nThe archive could not be written: GNU tar and gzip are needed.`);
}

const checksumLine = (path) => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${basename(path)}\n`;

const asWritten = (path) => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
};

/** The folder that `args` name, `dist/release` unless given. */
function folderOf(args) {
  try {
    const { values } = parseArgs({ args, options: { to: { type: 'string' } } });
    return resolve(values.to ?? join(dist, 'release'));
  } catch {
    throw new Stop('Usage: npm run release [-- --to <folder>]');
  }
}

/** Makes the release for this platform, the web being built; `args` may name its folder. */
export async function release(args) {
  const to = folderOf(args);
  const nodePackage = join(modules, platformNode);
  if (process.platform !== 'linux' || !existsSync(nodePackage)) {
    throw new Stop('A release is made on Linux, with the Node that the lockfile pins for it: x64 or arm64.');
  }
  const own = readJson(join(root, 'package.json'));
  const name = `${own.name}-${own.version}-linux-${process.arch}`;
  const madeAt = timeOfSources();
  const packages = serverPackages();

  mkdirSync(to, { recursive: true });
  const parent = mkdtempSync(join(to, '.making-'));
  try {
    const folder = join(parent, name);
    say('Gathering what the server needs…');
    copySources(folder);
    for (const path of packages) copyPackage(path, folder);
    cpSync(web, join(folder, 'dist/web'), { recursive: true, filter: (source) => basename(source) !== '.vite' });
    cpSync(join(root, 'docs'), join(folder, 'docs'), { recursive: true });
    for (const text of TEXTS) copyFileSync(join(root, text), join(folder, text));
    copyFileSync(join(root, 'scripts/release/README.md'), join(folder, 'README.md'));
    writeWebLicences(join(folder, 'dist/web-licences.md'));
    mkdirSync(join(folder, 'node'));
    copyFileSync(join(nodePackage, 'bin/node'), join(folder, 'node/node'));
    copyFileSync(join(nodePackage, 'LICENSE'), join(folder, 'node/LICENSE'));
    writePackage(join(folder, 'package.json'), own);
    writeStartScript(join(folder, 'coffer'));

    const bill = join(to, `${name}.sbom.cdx.json`);
    const everything = [...packages, `node_modules/${platformNode}`];
    writeJson(bill, await billOfMaterials({ name: own.name, version: own.version, packages: everything, madeAt }));
    copyFileSync(bill, join(folder, 'sbom.cdx.json'));

    say('Packing…');
    const archive = join(to, `${name}.tar.gz`);
    await pack(parent, name, archive, madeAt);
    writeFileSync(join(to, 'SHA256SUMS'), [archive, bill].map(checksumLine).join(''));
    for (const path of [archive, bill, join(to, 'SHA256SUMS')]) process.stdout.write(`${asWritten(path)}\n`);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
  return 0;
}
