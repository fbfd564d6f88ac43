// How much JavaScript the first visit to each page may load, in gzip; what a browser of today gets, in brotli, is an eighth less.
import { firstVisits } from './scripts/first-visit.mjs';

const WEB = 'dist/web';

export default firstVisits(new URL(WEB, import.meta.url).pathname).map(({ name, files }) => ({
  name: `first visit: ${name}`,
  path: files.map((file) => `${WEB}/${file}`),
  gzip: true,
  // The account settings alone show forms at once, and with them the schemas.
  limit: name === 'login' ? '149 kB' : name === 'account-settings' ? '309 kB' : '288 kB',
}));
