// The contract as a page to read without scripts: every call with what it takes and answers.
import { api, type Endpoint } from '#contract/api.ts';
import { escapeHtml } from './escape-html.ts';
import { errorsByStatus } from './openapi-answers.ts';
import { parametersOf } from './openapi-requests.ts';

/** The same as a page without scripts: every call with what it takes and answers. */
export function apiPage(productName: string): string {
  const rows = Object.entries(api).map(([name, shape]) => {
    const endpoint: Endpoint = shape;
    const inputs = [
      ...parametersOf(endpoint).map(({ name: key, in: place }) => `${key} (${place})`),
      ...(endpoint.body ? ['JSON body'] : []),
      ...(endpoint.upload ? ['multipart form'] : []),
    ];
    const cells = [
      endpoint.method,
      endpoint.path,
      endpoint.summary,
      inputs.join(', '),
      [endpoint.status, ...errorsByStatus(endpoint).map(([status]) => status)].join(' '),
      endpoint.action,
    ];
    return `<tr id="${escapeHtml(name)}">${cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join('')}</tr>`;
  });
  const title = escapeHtml(`${productName} API`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color-scheme:light dark}table{border-collapse:collapse}th,td{text-align:left;padding:.35rem .75rem;border-bottom:1px solid #8884;vertical-align:top}td:nth-child(-n+2){font-family:ui-monospace,monospace}</style></head><body><h1>${title}</h1><p>The whole description is at <code>/api/openapi.json</code>.</p><table><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>Takes</th><th>Answers</th><th>Action</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`;
}
