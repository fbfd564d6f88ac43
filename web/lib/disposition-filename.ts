// What a download is to be saved as.

/** The name a Content-Disposition header gives, its UTF-8 form before its plain one (RFC 6266). */
export function dispositionFilename(header: string): string | undefined {
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded.trim());
    } catch {
      // A damaged encoding: the plain form may still be right.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header);
  return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]) || undefined;
}
