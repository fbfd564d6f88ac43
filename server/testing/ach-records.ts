// ACH files for tests of batches, record by record.

export interface AchBatch {
  readonly name: string;
  /** Ten characters at most: for a federal id, 1 and its digits. */
  readonly id: string;
  readonly service?: string;
  readonly kind?: string;
  readonly description?: string;
  /** YYMMDD. */
  readonly day?: string;
}

/** With a federal id, a state id and the name of clients of `recognition-firm.ts`, where people, their accounts and amounts stand. */
export const ACH_ENTRY = [
  '622000000001',
  '00-1010101'.padEnd(17),
  '0000210000',
  '001010101'.padEnd(15),
  'OH-52 104 4471'.padEnd(22),
  '  0',
  '000000000000001',
].join('');

function batchOf({ name, id, service = '220', kind = 'PPD', description = 'PAYROLL', day = '261127' }: AchBatch) {
  const fields = [name.padEnd(16), ''.padEnd(20), id.padEnd(10), kind, description.padEnd(10)].join('');
  return [
    `5${service}${fields}261125${day}   1000000000000001`,
    ACH_ENTRY,
    ACH_ENTRY,
    `8220000002${'0'.repeat(34)}${id.padEnd(10)}${' '.repeat(25)}000000000000001`,
  ];
}

/** The records of a file, of 94 characters each. Its bank and its sender are clients of `recognition-firm.ts` too. */
export function achRecords(batches: readonly AchBatch[]): string[] {
  const names = `${'ZEPHYR RIDGE ROOFING'.padEnd(23)}${'CEDAR PAYROLL BUREAU IN'}`;
  const records = [
    `101 00000000110010101012611251530A094101${names}${' '.repeat(8)}`,
    ...batches.flatMap(batchOf),
    `9${String(batches.length).padStart(6, '0')}${'0'.repeat(48)}${' '.repeat(39)}`,
  ];
  while (records.length % 10 > 0) records.push('9'.repeat(94));
  return records;
}
