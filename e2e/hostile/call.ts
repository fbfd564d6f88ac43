// A call of the API with a token that the test holds, whatever it answers.

export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** The status and the JSON of the answer; null where there is none. */
export async function callWith<Body = Row>(
  origin: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(origin + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: response.status, body: (await response.json().catch(() => null)) as Body };
}
