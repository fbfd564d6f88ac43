// Memory in a thread that makes little else: what it dropped is collected late there, or never before the thread ends.

/** Gives the memory of these bytes back at once, where it is theirs alone. Whoever else looks at it finds nothing there. */
export function giveBack(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || buffer.detached || buffer.byteLength !== bytes.length) return;
  buffer.transfer(0);
}
