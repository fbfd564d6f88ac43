// Stopping a release of a batch. Apart from the queries, which every page loads.
import { call } from '#web/lib/api.ts';
import { refresh } from './query-client.ts';

export async function stopRelease(id: number): Promise<void> {
  await call('batches.stop', { params: { id } });
  await refresh('batches', 'activity');
}
