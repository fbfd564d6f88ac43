// Why a backup or a restore does not start or does not end.

/** What the command ends with, apart from 0 (done, and whole) and 2 (the command was written wrong). */
export const EXIT = {
  /** Done, but something is missing or damaged; or a fault of the machine. */
  notWhole: 1,
  /** The place is another one than it has to be: not empty, not a backup, another firm's, torn, made by a newer version. */
  wrongPlace: 3,
  /** Another backup is being written there. */
  busy: 4,
  /** No room. */
  full: 5,
} as const;

/** By which somebody tells it to end. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Its message is one clear line for the operator, without credentials. */
export class BackupRefusal extends Error {
  override readonly name = 'BackupRefusal';
  readonly exitCode: number;
  constructor(kind: keyof typeof EXIT, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = EXIT[kind];
  }
}
