// What is done with files, the trash, holds, how long files are kept, and what is expected.
import { type Actor, can } from './actor.ts';
import type { Rights, Rules } from './gate.ts';
import { type FileAccess, trashReach } from './reach.ts';

export const fileRights = {
  'files.read': { gate: 'signed-in', stepUp: 'never' },
  'files.upload': { gate: ['reports.upload', 'documents.upload'], stepUp: 'never' },
  // It shows the file to other people.
  'files.refile': { gate: ['reports.upload', 'documents.upload'], stepUp: 'always' },
  'files.delete': { gate: 'signed-in', stepUp: 'always' },
  'files.take-back': { gate: ['reports.upload'], stepUp: 'always' },
  // It shows the file to other people again.
  'files.restore': { gate: 'signed-in', stepUp: 'always' },
  'files.purge': { gate: 'all-files', stepUp: 'always' },
  'files.read-marks': { gate: 'signed-in', stepUp: 'never' },
  'files.settle-mark': { gate: ['reports.upload', 'documents.upload'], stepUp: 'never' },
  'files.read-readers': { gate: ['activity.read', 'activity.read-clients', 'users.manage'], stepUp: 'never' },
  'files.read-versions': { gate: 'signed-in', stepUp: 'never' },
  'trash.read': { gate: 'signed-in', stepUp: 'never' },
  'holds.read': { gate: 'signed-in', stepUp: 'never' },
  'holds.manage': { gate: ['holds.manage'], stepUp: 'always' },
  'retention.read': { gate: 'all-files', stepUp: 'never' },
  'retention.manage': { gate: 'all-files', stepUp: 'always' },
  'archives.use': { gate: 'signed-in', stepUp: 'never' },
  // Nobody sees more or less because of it.
  'completeness.read': { gate: 'signed-in', stepUp: 'never' },
  'completeness.manage': { gate: ['reports.upload', 'clients.manage'], stepUp: 'never' },
  // It says to people what they may see, once a day.
  'files.remind': { gate: ['reports.upload'], stepUp: 'never' },
} as const satisfies Rights<'files' | 'trash' | 'holds' | 'retention' | 'archives' | 'completeness'>;

/** Whether an actor takes reports back: who uploads them, and may not delete them anyway. */
export function takesBack(actor: Pick<Actor, 'capabilities'>): boolean {
  return can(actor, 'reports.upload') && !can(actor, 'files.delete');
}

/** How long after its upload a report may be taken back. */
export const TAKE_BACK_MS = 24 * 60 * 60_000;

export interface FileSubjects {
  'files.upload': {
    readonly fileType: 'report' | 'company_document';
    readonly clientReached: boolean;
    /** null where no report type is named. */
    readonly reportTypeReached: boolean | null;
  };
  'files.delete': Pick<FileAccess, 'fileType' | 'uploadedById'>;
  'files.take-back': FileSubjects['files.delete'] & {
    /** Since its upload, in ms. */
    readonly ageMs: number;
    /** Whether anybody but its uploader has viewed or downloaded it; null where nobody has looked. */
    readonly openedByOthers: boolean | null;
  };
  'files.restore': FileSubjects['files.delete'] & {
    readonly deletedById: number;
    /** Filed without a type from now on, since the one it had is gone. */
    readonly losesType: boolean;
  };
  /** Where the file is, and stays. */
  'files.settle-mark': FileSubjects['files.upload'];
  'files.refile': {
    readonly from: Pick<FileAccess, 'fileType' | 'uploadedById'>;
    readonly to: FileSubjects['files.upload'];
  };
}

export const fileRules: Rules<FileSubjects> = {
  'files.upload': (actor, { fileType, clientReached, reportTypeReached }) =>
    can(actor, fileType === 'report' ? 'reports.upload' : 'documents.upload') &&
    clientReached &&
    reportTypeReached !== false
      ? null
      : 'forbidden',
  'files.delete': (actor, { fileType, uploadedById }) => {
    const allowed =
      fileType === 'report'
        ? can(actor, 'files.delete')
        : uploadedById === actor.id || (actor.reach === 'all' && can(actor, 'files.delete'));
    return allowed ? null : 'forbidden';
  },
  'files.take-back': (actor, { fileType, uploadedById, ageMs, openedByOthers }) => {
    if (fileType !== 'report' || uploadedById !== actor.id) return 'forbidden';
    if (ageMs >= TAKE_BACK_MS) return 'take_back_over';
    return openedByOthers === false ? null : 'opened_meanwhile';
  },
  'files.restore': (actor, { deletedById, losesType, ...file }) => {
    if (trashReach(actor).files === 'own' && deletedById !== actor.id) return 'forbidden';
    // Whoever took it back could as well upload it again.
    const tookBack = takesBack(actor) && file.uploadedById === actor.id && deletedById === actor.id;
    const refused = tookBack ? null : fileRules['files.delete'](actor, file);
    if (refused !== null) return refused;
    return losesType && actor.reach !== 'all' && file.uploadedById !== actor.id ? 'report_type_gone' : null;
  },
  // Whoever may file it where it is may say that it is right there: nothing is taken away.
  'files.settle-mark': (actor, place) => fileRules['files.upload'](actor, place),
  'files.refile': (actor, { from, to }) => {
    const refused = fileRules['files.delete'](actor, from) ?? fileRules['files.upload'](actor, to);
    if (refused !== null) return refused;
    // A report without a type is seen by its uploader and by who reaches everything: nobody may file it out of their own sight.
    const staysInSight =
      to.fileType !== 'report' ||
      to.reportTypeReached !== null ||
      actor.reach === 'all' ||
      from.uploadedById === actor.id;
    return staysInSight ? null : 'forbidden';
  },
};
