// The header that names a file to the browser and says whether to show or to save it (RFC 6266, RFC 8187).
import { create } from 'content-disposition';

export type Disposition = 'attachment' | 'inline';

/** Never holds a line break or another control character, whatever the name holds. */
export function contentDisposition(disposition: Disposition, fileName: string): string {
  return create(fileName.toWellFormed().replace(/\p{Cc}/gu, ' '), { type: disposition });
}
