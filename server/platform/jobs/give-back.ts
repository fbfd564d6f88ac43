// Memory of large pieces that are dropped one after the other. In a thread that makes little else they are collected late, or never before it ends, and on
// the event loop, while a file passes, the engine lets tens of megabytes of them lie.

/** Gives the memory of these bytes back at once, where it is theirs alone. Whoever else looks at it finds nothing there. */
export function giveBack(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || buffer.detached || buffer.byteLength !== bytes.length) return;
  buffer.transfer(0);
}
