// What is known of the words in and around companies' names.

/** Words that say what kind of company it is, each by one spelling. */
const SUFFIXES: Readonly<Record<string, string>> = {
  llc: 'llc',
  lc: 'llc',
  inc: 'inc',
  incorporated: 'inc',
  corp: 'corp',
  corporation: 'corp',
  co: 'co',
  company: 'co',
  ltd: 'ltd',
  limited: 'ltd',
  lp: 'lp',
  llp: 'llp',
  lllp: 'lllp',
  pllc: 'pllc',
  pc: 'pc',
  pa: 'pa',
  plc: 'plc',
};

export const suffixOf = (plain: string): string | null => SUFFIXES[plain] ?? null;

/** The suffixes that only a company's name ends with. `pa` and `co` are states as well, and company is a label. */
export const isSureSuffix = (plain: string): boolean =>
  suffixOf(plain) !== null && !['pa', 'co', 'company', 'limited', 'pc', 'lc'].includes(plain);

/** Joined names read the same with and without them. */
export const isJoiner = (plain: string): boolean => plain === 'and' || plain === '';

/** Words that go on with a name: 'Acme Plumbing of Ohio', 'Harbor and Pine'. */
export const GOES_ON = new Set('of and de del la las los du van von at in n'.split(' '));

/** Labels and words of reports, which may stand right beside a name without being part of it. */
export const BESIDE_NAMES = new Set(
  (
    'employer employers company client name names business taxpayer payer customer account for to re from attn by legal trade ' +
    'entity filer insured dear copy register journal summary report reports payroll form ein fein federal id tin period check pay date dated ' +
    'page quarter quarterly annual yearly monthly weekly biweekly semimonthly year ended ending begin end through tax state as is has was ' +
    'are run dba fka aka on with w2 w3 941 940 943 944 945 1099 earnings deposit direct liability deductions prepared continued total totals ' +
    'january february march april may june july august september october november december confidential this the your our you we please'
  ).split(' '),
);

/** Signs that part what stands on one line. A comma and a full stop are judged apart. */
export const PARTS = new Set([...'|·•—–;:()[]/\\*=<>~_►"“”']);
