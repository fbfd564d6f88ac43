// One list of the overview as a table reads it.

import type { UseQueryResult } from '@tanstack/react-query';
import type { Overview } from '#contract/activity.ts';

export function listOf<Key extends 'recentActivity' | 'recentUploads'>(query: UseQueryResult<Overview>, key: Key) {
  const rows = query.data?.[key];
  return {
    data: rows && { rows, total: rows.length },
    error: query.error,
    isFetching: query.isFetching,
    isPlaceholderData: query.isPlaceholderData,
    refetch: query.refetch,
  };
}
