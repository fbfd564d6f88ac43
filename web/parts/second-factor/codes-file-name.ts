/** Of the firm's name only letters and digits: the rest means something to one system or another. */
export function codesFileName(firmName: string): string {
  const name = firmName.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${name === '' ? '' : `${name}-`}recovery-codes.txt`;
}
