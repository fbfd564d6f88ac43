// Answers as they travel, their bytes not decoded: `fetch` asks for compressed ones by itself and hides them.
import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The text behind its content coding. */
  readonly text: string;
}

function decode(bytes: Buffer, coding: string | undefined): string {
  if (bytes.length === 0 || coding === undefined) return bytes.toString();
  return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString();
}

/** Asks with exactly these headers and resolves when the answer is whole; rejects where it is cut. */
export function askPlainly(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', body }: { readonly method?: string; readonly body?: string } = {},
): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        // A part of the whole cannot be decoded alone.
        const coding = answer.statusCode === 206 ? undefined : answer.headers['content-encoding'];
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: decode(bytes, coding) });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
