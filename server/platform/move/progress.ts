// What the operator sees while a move runs: how much of a step is done, and about how long the rest takes.

interface Done {
  readonly done: number;
  readonly total: number;
}

export type Advance =
  /** `name` is that of the table. */
  | (Done & { readonly step: 'copy rows' | 'compare rows'; readonly unit: 'rows'; readonly name: string })
  | (Done & { readonly step: 'copy files' | 'check files'; readonly unit: 'bytes'; readonly files: number });

/** Called after every piece of work. */
export type Report = (advance: Advance) => void;

const EVERY_MS = 2_000;

/** Prints a line every two seconds, and one at the end of each step and each name. `now` is in milliseconds. */
export function progressLines(say: (line: string) => void, now: () => number = Date.now): Report {
  let step = '';
  let beganAt = 0;
  let saidAt = 0;
  let doneBefore = 0;
  return (advance) => {
    if (advance.step !== step) {
      step = advance.step;
      beganAt = now();
      saidAt = beganAt;
      // The first piece does not count for the speed, because it is unknown how long it took.
      doneBefore = advance.done;
    }
    const atEnd = advance.done >= advance.total;
    if (!atEnd && now() - saidAt < EVERY_MS) return;
    saidAt = now();
    const left = atEnd ? '' : timeLeft(now() - beganAt, advance.done - doneBefore, advance.total - advance.done);
    say(`${step}: ${amount(advance)}, ${percent(advance)} (${subject(advance)})${left}`);
  };
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** As the screens count them. */
const BYTES_A_MB = 1024 * 1024;

const subject = (advance: Advance) => (advance.unit === 'rows' ? advance.name : `${whole.format(advance.files)} files`);

function amount({ done, total, unit }: Advance): string {
  if (unit === 'rows') return `${whole.format(done)} of ${whole.format(total)} rows`;
  return `${megabytes(done)} of ${megabytes(total)}`;
}

export const megabytes = (bytes: number) => `${whole.format(Math.ceil(bytes / BYTES_A_MB))} MB`;

const percent = ({ done, total }: Advance) => `${total === 0 ? 100 : Math.floor((100 * done) / total)} %`;

function timeLeft(tookMs: number, done: number, left: number): string {
  if (done <= 0) return '';
  const seconds = (tookMs / done) * (left / 1_000);
  if (seconds < 60) return ', less than a minute left';
  if (seconds < 5_400) return `, about ${whole.format(seconds / 60)} min left`;
  return `, about ${whole.format(seconds / 3_600)} h left`;
}
