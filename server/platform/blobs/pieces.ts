// A span of stored bytes as something to iterate over.
import type { ByteReader } from './byte-store.ts';

/** The pieces in order; `see` is shown each. The reader is closed however the reading ends. */
export async function* piecesOf(reader: ByteReader, see: (piece: Buffer) => void = () => {}): AsyncGenerator<Buffer> {
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      see(piece);
      yield piece;
    }
  } finally {
    await reader.close();
  }
}
