// A ZIP entry written by hand, because no packer makes one that inflates to far more than it takes, or lies about it.
import { crc32 } from 'node:zlib';

/** One entry with what is `deflated` already, which says that it inflates to `claimedBytes`; sizes in 64 bits. */
export function zipEntry(name: string, deflated: Uint8Array, claimedBytes: bigint): Buffer {
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(claimedBytes, 4);
  extra.writeBigUInt64LE(BigInt(deflated.length), 12);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(45, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(crc32(''), 14);
  head.writeUInt32LE(0xffffffff, 18);
  head.writeUInt32LE(0xffffffff, 22);
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, Buffer.from(name), extra, deflated]);
}
