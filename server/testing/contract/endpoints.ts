// The endpoints of the contract by name, as the tests that go through all of them ask for them.
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';

export const endpointNames = Object.keys(api) as EndpointName[];
export const endpointOf = (name: EndpointName): Endpoint => api[name];

/** The addresses that the file cookie opens. */
export const OPENS_FILES: readonly EndpointName[] = [
  'files.open',
  'files.download',
  'files.view',
  'archives.open',
  'batches.open-file',
];
