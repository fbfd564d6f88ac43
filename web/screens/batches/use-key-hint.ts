// How a button names the key that does the same.
import { useSingleKeyShortcuts } from '#web/data/account.ts';

/** What a button says of its key in its tooltip, after `words`; nothing of single keys where they are switched off. */
export function useKeyHint() {
  const [on] = useSingleKeyShortcuts();
  return (key: string | readonly string[], words = '') => {
    const keys = typeof key === 'string' ? [key] : key;
    const said = on ? `Key: ${keys.join(', ')}` : '';
    const title = [words, said].filter((part) => part !== '').join(' · ');
    return { ...(title === '' ? {} : { title }), ...(on ? { 'aria-keyshortcuts': keys.join(' ') } : {}) };
  };
}
