// zlib in a thread that may be ended at any moment. Node makes a handle of zlib in two steps, and where a thread is ended between them the whole process dies
// ("close before init", src/node_zlib.cc): a file of many small streams that takes too long would end the portal. Here both steps are one.
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';
import { type EndingState, uninterrupted } from './thread-ending.ts';

const HANDLES = [
  'Deflate',
  'Inflate',
  'Gzip',
  'Gunzip',
  'DeflateRaw',
  'InflateRaw',
  'Unzip',
  'BrotliCompress',
  'BrotliDecompress',
  'ZstdCompress',
  'ZstdDecompress',
] as const;

type Make = (...given: unknown[]) => object;

/** What Node's own functions for whole buffers call of a handle. */
interface Handle {
  readonly _finishFlushFlag: number;
  _processChunk(bytes: Uint8Array, flush: number): Buffer;
}

function bytesOf(given: string | ArrayBufferLike | NodeJS.ArrayBufferView): Uint8Array {
  if (typeof given === 'string') return Buffer.from(given);
  return ArrayBuffer.isView(given)
    ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    : new Uint8Array(given);
}

/** Makes every way to a handle of zlib uninterrupted, for all modules loaded from now on; what is done with a handle can be ended as before. */
export function makeZlibWhole(state: EndingState): void {
  const exported = zlib as unknown as Record<string, Make>;
  const whole = (name: string) => {
    const make = exported[name];
    if (make === undefined) throw new Error(`zlib has no ${name}`);
    const value = new Proxy(make, {
      construct: (target, given, newTarget) => uninterrupted(state, () => Reflect.construct(target, given, newTarget)),
      apply: (target, self, given) => uninterrupted(state, () => Reflect.apply(target, self, given)),
    });
    Object.defineProperty(exported, name, { value, configurable: true, enumerable: true, writable: true });
    return value;
  };
  for (const name of HANDLES) {
    const handle = whole(name);
    const inOneCall = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    whole(`create${name}`);
    // Begins its work and has it done by others.
    whole(inOneCall);
    exported[`${inOneCall}Sync`] = (given: unknown, options: unknown) => {
      const made = Reflect.construct(handle, [options]) as Handle;
      return made._processChunk(bytesOf(given as string), made._finishFlushFlag);
    };
  }
  syncBuiltinESMExports();
}
