// The day by the clock of this browser, for pages that stay open while it turns: nobody tells of that.
import { useSyncExternalStore } from 'react';
import { today } from '#web/lib/format.ts';
import { everyMinute } from './moment.tsx';

/** YYYY-MM-DD. */
export const useToday = () => useSyncExternalStore(everyMinute, today);
