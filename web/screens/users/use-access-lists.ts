// What the access lists of a user are ticked from, and the user's own as they are now.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { UserRow } from '#contract/users.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { usableReportTypesQuery } from '#web/data/report-types.ts';
import { userAccessQuery } from '#web/data/users.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ascending, type UserForm } from './user-values.ts';

interface Answer {
  readonly isSuccess: boolean;
  readonly data: { readonly rows: readonly { readonly id: number }[] } | undefined;
}

/** Those of `ids` that the answer has; all of them where there is none. */
function thoseIn({ isSuccess, data }: Answer, ids: number[]): number[] {
  if (!isSuccess || data === undefined) return ids;
  const there = new Set(data.rows.map(({ id }) => id));
  return ids.filter((id) => there.has(id));
}

export function useAccessLists(opened: boolean, user: UserRow | null, form: UserForm) {
  const me = useSessionUser();
  const clients = useQuery({ ...allClientsQuery(), enabled: opened });
  const reportTypes = useQuery({ ...usableReportTypesQuery(me), enabled: opened });

  // The row that was clicked may be older than the lists; where loading them fails, the row's own lists are used.
  const access = useQuery({ ...userAccessQuery(user?.id ?? 0), enabled: opened && user !== null });
  const latestForm = useRef(form);
  latestForm.current = form;
  useEffect(() => {
    if (!opened || access.isFetching || !access.data) return;
    const now = latestForm.current;
    const lists = {
      clientIds: ascending(access.data.clientIds ?? now.values.clientIds),
      reportTypeIds: ascending(access.data.reportTypeIds ?? now.values.reportTypeIds),
    };
    now.resetDirty({ ...now.getInitialValues(), ...lists });
    now.setValues(lists);
  }, [opened, access.isFetching, access.data]);

  /** Unticks what the lists lack when they are read again: it was deleted since. What is said at the fields stays. */
  const untickGone = async () => {
    const [clientsNow, typesNow] = await Promise.all([clients.refetch(), reportTypes.refetch()]);
    const { values, errors, setValues, setErrors } = latestForm.current;
    setValues({
      clientIds: thoseIn(clientsNow, values.clientIds),
      reportTypeIds: thoseIn(typesNow, values.reportTypeIds),
    });
    setErrors(errors);
  };
  return {
    clients,
    reportTypes,
    untickGone,
    /** Until the lists are known, saving could undo what somebody else has just granted. */
    awaiting: access.isFetching,
    inTrash: access.data?.clientsInTrash ?? [],
    lookUpFailed: !access.isFetching && access.data !== undefined && Object.values(access.data).includes(null),
  };
}

export type AccessLists = ReturnType<typeof useAccessLists>;
