// ZIPs as people pack them, and workbooks, which are ZIPs too.
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** What ends with a slash is a folder. What is short stands in it as it is. */
export function zipOf(contents: Iterable<readonly [path: string, bytes: string | Buffer]>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, bytes] of contents) {
    if (path.endsWith('/')) zip.addEmptyDirectory(path);
    else zip.addBuffer(Buffer.from(bytes), path, { compress: bytes.length > 100 });
  }
  zip.end();
  return buffer(zip.outputStream);
}
