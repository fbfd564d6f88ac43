// Creates what a browser test needs, through the API as an Admin would.
import { ADMIN } from './server.ts';

export interface ApiCaller {
  post<Row>(path: string, body?: unknown): Promise<Row>;
  put<Row>(path: string, body: unknown): Promise<Row>;
  get<Row>(path: string): Promise<Row>;
  delete(path: string): Promise<void>;
  /** To `/api/files` unless another path is given. */
  upload(
    fields: Record<string, string | number>,
    name: string,
    bytes: Uint8Array,
    path?: string,
  ): Promise<{ id: number }>;
}

async function read<Row>(response: Response): Promise<Row> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Row;
}

const json = { 'content-type': 'application/json' };

/** Signs in and answers a caller with that session. */
export async function apiAs(
  origin: string,
  { username, password }: { username: string; password: string } = ADMIN,
): Promise<ApiCaller> {
  const signIn = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username, password }),
  });
  const { token } = await read<{ token: string }>(signIn);
  return apiWith(origin, token);
}

/** A caller with a session that is, or with another bearer. */
export function apiWith(origin: string, token: string): ApiCaller {
  const authorization = `Bearer ${token}`;
  const send = async <Row>(method: string, path: string, body: unknown): Promise<Row> =>
    read(
      await fetch(origin + path, {
        method,
        headers: { authorization, ...(body === undefined ? {} : json) },
        body: JSON.stringify(body) ?? null,
      }),
    );
  return {
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: async (path) => {
      const answer = await fetch(origin + path, { method: 'DELETE', headers: { authorization } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    },
    get: async (path) => read(await fetch(origin + path, { headers: { authorization } })),
    upload: async (fields, name, bytes, path = '/api/files') => {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.append(key, String(value));
      form.append('file', new Blob([new Uint8Array(bytes)]), name);
      return read(await fetch(origin + path, { method: 'POST', headers: { authorization }, body: form }));
    },
  };
}
