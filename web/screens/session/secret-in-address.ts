// What stands behind the # of a link that was mailed: the browser sends it to no server by itself.
import { useSyncExternalStore } from 'react';

const secretInAddress = () => window.location.hash.slice(1);
function onAddressChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Empty where there is none; another link that is opened in the same tab gives another one. */
export const useSecretInAddress = () => useSyncExternalStore(onAddressChange, secretInAddress);
