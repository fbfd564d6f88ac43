// Reads a ZIP whole, for tests of what the server packs.
import { fromBuffer, type ZipFile } from 'yauzl';

/** What is in an archive: path and bytes of each entry, in its order. Fails on a damaged one. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  const entries = new Map<string, Buffer>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        entries.set(entry.fileName, Buffer.concat(await stream.toArray()));
        zip.readEntry();
      }),
    );
    zip.readEntry();
  });
}
