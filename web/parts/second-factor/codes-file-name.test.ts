// Under which name recovery codes are saved.
import { expect, it } from 'vitest';
import { codesFileName } from './codes-file-name.ts';

it.each([
  ['Coffer', 'Coffer-recovery-codes.txt'],
  ['Harbor & Pine, Payroll', 'Harbor-Pine-Payroll-recovery-codes.txt'],
  ['Łódź 会社', 'Łódź-会社-recovery-codes.txt'],
  ['../../etc/passwd', 'etc-passwd-recovery-codes.txt'],
  ['con:', 'con-recovery-codes.txt'],
  ['a.exe', 'a-exe-recovery-codes.txt'],
  ['!?', 'recovery-codes.txt'],
])('G97: %j is saved as %j', (name, file) => {
  expect(codesFileName(name)).toBe(file);
});
