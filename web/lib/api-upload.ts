// Sending a file to the server: apart from the other calls, because a first page sends none.
import type { EndpointName, Output } from '#contract/api.ts';
import { ApiFault, apiUrl, authorizationHeader, type Fields, noticeUnauthenticated, readFault } from './api.ts';
import { failed, unreachable } from './messages.ts';

/** Sends a file, which `fetch` cannot say the progress of: `onSent` is told how much has left, from 0 to 1. Throws ApiFault. */
export function callUpload<Name extends EndpointName>(
  name: Name,
  params: Fields,
  file: File,
  onSent: (share: number) => void,
  /** The same upload sent twice under one key becomes one file. */
  idempotencyKey?: string,
): Promise<Output<Name>> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const { Authorization: authorization } = authorizationHeader();
    xhr.open('POST', apiUrl(name, params));
    if (authorization !== undefined) xhr.setRequestHeader('Authorization', authorization);
    if (idempotencyKey !== undefined) xhr.setRequestHeader('Idempotency-Key', idempotencyKey);
    xhr.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total);
    xhr.onerror = () => reject(new ApiFault(0, unreachable));
    xhr.onload = () => {
      const { status, statusText, responseText } = xhr;
      const answer = status === 201 ? parsed(responseText) : undefined;
      if (answer !== undefined) return resolve(answer as Output<Name>);
      noticeUnauthenticated(status, authorization);
      reject(readFault(status, statusText, responseText, failed.uploadReason));
    };
    const form = new FormData();
    form.append('file', file);
    xhr.send(form);
  });
}

/** Undefined for what is no JSON: something between here and the server answered in its place. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
