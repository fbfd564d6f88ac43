// Files that payroll does not produce: a locked list, a phone's picture, a program under a false name, and an empty file.
import { crc32, deflateSync } from 'node:zlib';
import type { Ledger } from '../payroll.ts';
import { createRandom } from '../random.ts';
import type { OddFile } from './descriptor.ts';
import { openFirmSheet } from './letterhead.ts';

/** Opens only with a password that nobody in the portal knows. */
function lockedRoster(ledger: Ledger, document: OddFile): Promise<Buffer> {
  const sheet = openFirmSheet({
    title: 'Employee Roster',
    subtitle: 'Locked',
    company: ledger.company,
    preparedDay: document.preparedDay,
    facts: [['Employees', String(ledger.employees.length)]],
    password: 'ask-the-owner',
  });
  sheet.table(
    [
      { head: 'Employee', weight: 40 },
      { head: 'Department', weight: 30 },
      { head: 'Job title', weight: 40 },
    ],
    ledger.employees.map((employee) => [employee.name, employee.department, employee.jobTitle]),
  );
  return sheet.finish();
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const PHOTO_WIDTH = 320;
const PHOTO_HEIGHT = 240;

/** A slip of paper with lines of writing on a wooden desk, in few pixels. */
function photo(document: OddFile): Buffer {
  const random = createRandom('photo', document.company, document.preparedDay);
  const rows = Buffer.alloc(PHOTO_HEIGHT * (1 + PHOTO_WIDTH * 3));
  for (let y = 0; y < PHOTO_HEIGHT; y += 1) {
    const rowStart = y * (1 + PHOTO_WIDTH * 3);
    for (let x = 0; x < PHOTO_WIDTH; x += 1) {
      const onPaper = x + y / 12 > 58 && x + y / 12 < 270 && y > 30 + x / 20 && y < 190 + x / 20;
      const line = (y - Math.floor(x / 20)) % 22;
      const written = onPaper && x > 90 && x < 230 && line > 14 && line < 17 && random.chance(0.85);
      const grain = random.int(-9, 9) + Math.round(8 * Math.sin(y / 7 + x / 90));
      const [red, green, blue] = written ? [38, 46, 84] : onPaper ? [234, 230, 218] : [128, 92, 60];
      rows[rowStart + 1 + x * 3] = Math.max(0, Math.min(255, red + grain));
      rows[rowStart + 2 + x * 3] = Math.max(0, Math.min(255, green + grain));
      rows[rowStart + 3 + x * 3] = Math.max(0, Math.min(255, blue + grain));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PHOTO_WIDTH, 0);
  header.writeUInt32BE(PHOTO_HEIGHT, 4);
  // Eight bits a sample, red green blue.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The first bytes of a Windows program, then noise: it looks like one and does nothing. */
function renamedProgram(document: OddFile): Buffer {
  const random = createRandom('program', document.company);
  const bytes = Buffer.alloc(6144, 0);
  bytes.write('MZ', 0, 'latin1');
  bytes.writeUInt32LE(0x80, 0x3c);
  bytes.write('This program cannot be run in DOS mode.\r\r\n$', 0x4e, 'latin1');
  bytes.write('PE\0\0', 0x80, 'latin1');
  bytes.writeUInt16LE(0x14c, 0x84);
  for (let at = 0x200; at < bytes.length; at += 1) bytes[at] = random.int(0, 255);
  return bytes;
}

export async function oddFile(ledger: Ledger, document: OddFile): Promise<Buffer> {
  switch (document.kind) {
    case 'locked-roster':
      return lockedRoster(ledger, document);
    case 'photo':
      return photo(document);
    case 'renamed-program':
      return renamedProgram(document);
    case 'nothing':
      return Buffer.alloc(0);
  }
}
