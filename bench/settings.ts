// How large and how long a benchmark is.

/** Of reading and listing, each by somebody of their own. */
export const FLOODS = ['zips', 'documents', 'certificates', 'scans', 'client-scans', 'words', 'slow'] as const;
export type Flood = (typeof FLOODS)[number];

export interface Rounds {
  readonly count: number;
  readonly durationMs: number;
  readonly warmUpMs: number;
}

export interface Settings {
  /** Files of the two firms. */
  readonly sizes: { readonly small: number; readonly large: number };
  /** Of each scenario on each server. */
  readonly rounds: Rounds;
  /** For each list over one connection: at least this many answers, and as many as come in the time. */
  readonly lists: { readonly rounds: number; readonly answersMin: number; readonly durationMs: number };
  /** How often each act is done at each size. */
  readonly acts: { readonly times: number; readonly inBackground: number };
  /** Of a steady pace of requests. */
  readonly steady: { readonly durationMs: number; readonly warmUpMs: number };
  readonly uploadSteps: { readonly durationMs: number; readonly warmUpMs: number };
  readonly longUploads: number;
  readonly longUploadBytes: number;
  readonly giantBytes: number;
  readonly backupBytes: number;
  readonly coldStarts: number;
  readonly screenRounds: number;
  readonly hostile: {
    readonly rounds: number;
    readonly wideSignIns: number;
    readonly longLists: number;
    readonly signIns: number;
    readonly archivedFiles: number;
    readonly archives: number;
  };
  /** Those that go on at once. */
  readonly floods: readonly Flood[];
  /** Whether the files of the two firms are in plain, and not encrypted as usual. */
  readonly plain: boolean;
  /** Flags of Node for the servers. */
  readonly nodeFlags: readonly string[];
}

/** Below the data folder: the files of the floor, in plain. */
export const FLOOR_BLOBS = 'floor-blobs';

const MIB = 1024 ** 2;

const FULL: Settings = {
  sizes: { small: 10_000, large: 1_000_000 },
  rounds: { count: 3, durationMs: 2_000, warmUpMs: 1_000 },
  lists: { rounds: 3, answersMin: 2, durationMs: 300 },
  acts: { times: 16, inBackground: 4 },
  steady: { durationMs: 10_000, warmUpMs: 2_000 },
  uploadSteps: { durationMs: 5_000, warmUpMs: 2_000 },
  longUploads: 5,
  longUploadBytes: 100_000_000,
  giantBytes: 2048 * MIB,
  backupBytes: 10_000_000_000,
  coldStarts: 7,
  screenRounds: 5,
  hostile: { rounds: 3, wideSignIns: 10, longLists: 100, signIns: 40, archivedFiles: 1_000, archives: 2 },
  floods: FLOODS,
  plain: false,
  nodeFlags: [],
};

const QUICK: Settings = {
  ...FULL,
  sizes: { small: 10_000, large: 50_000 },
  rounds: { count: 1, durationMs: 500, warmUpMs: 300 },
  lists: { rounds: 1, answersMin: 2, durationMs: 100 },
  acts: { times: 4, inBackground: 2 },
  steady: { durationMs: 2_000, warmUpMs: 500 },
  uploadSteps: { durationMs: 1_000, warmUpMs: 500 },
  longUploads: 2,
  giantBytes: 128 * MIB,
  backupBytes: 2_000_000_000,
  coldStarts: 2,
  screenRounds: 2,
  hostile: { rounds: 1, wideSignIns: 4, longLists: 20, signIns: 10, archivedFiles: 200, archives: 1 },
};

/** `files`: of the large firm, where another number than usual is wanted. */
export function settingsFor(flags: {
  quick: boolean;
  plain: boolean;
  files: number | undefined;
  profile: string | undefined;
  floods: readonly Flood[];
}): Settings {
  const settings = flags.quick ? QUICK : FULL;
  return {
    ...settings,
    plain: flags.plain,
    floods: flags.floods,
    sizes: { ...settings.sizes, large: flags.files ?? settings.sizes.large },
    nodeFlags: flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`],
  };
}

const BYTES_A_FILE = 5_000;
const OTHER_BYTES = 6 * 1024 * MIB;

/** Space that a whole run needs below the system's temporary folder. */
export function neededBytes({ sizes, giantBytes, backupBytes }: Settings): number {
  // A backup has its files at the firm, at its place and where they are restored; the two firms are not there meanwhile.
  return Math.max((sizes.small + sizes.large) * BYTES_A_FILE, 3 * backupBytes) + giantBytes + OTHER_BYTES;
}
