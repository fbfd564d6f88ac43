// What stands in place of a list that there is nothing to choose from in.
import { reasonOf } from '#web/lib/api-fault.ts';

/** Why the list is not there; `none` where it is, and is empty. */
export function unavailableWords<None>(list: { error: Error | null; isLoading: boolean }, none: None) {
  if (list.error) return `This list could not be loaded: ${reasonOf(list.error)}`;
  return list.isLoading ? 'Loading...' : none;
}
