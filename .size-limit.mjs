// How much compressed JavaScript the first visit to each page may load.
import { firstVisits } from './scripts/first-visit.mjs';

const WEB = 'dist/web';

export default firstVisits(new URL(WEB, import.meta.url).pathname).map(({ name, files }) => ({
  name: `first visit: ${name}`,
  path: files.map((file) => `${WEB}/${file}`),
  gzip: true,
  limit: name === 'login' ? '160 kB' : '300 kB',
}));
