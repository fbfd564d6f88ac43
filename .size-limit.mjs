// How much JavaScript the first visit to each page may load, in gzip; what a browser of today gets, in brotli, is an eighth less.
import { firstVisits } from './scripts/first-visit.mjs';

const WEB = 'dist/web';

const LIMITS = {
  login: '150 kB',
  // They alone show forms at once, and with them the schemas.
  'account-settings': '317 kB',
  // The list of everything, with all that is done to files.
  files: '295 kB',
};

export default firstVisits(new URL(WEB, import.meta.url).pathname).map(({ name, files }) => ({
  name: `first visit: ${name}`,
  path: files.map((file) => `${WEB}/${file}`),
  gzip: true,
  limit: LIMITS[name] ?? '292 kB',
}));
