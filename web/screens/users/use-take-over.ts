// A colleague's access, taken over for somebody else.

import { useEffect, useRef, useState } from 'react';
import { reachesClient, reachesEveryClient, usesReportType } from '#contract/policy/reach.ts';
import type { UserRow } from '#contract/users.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { loadUser } from '#web/data/users.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { takenWords } from './access-words.ts';
import type { RoleFacts } from './role-facts.ts';
import { userFailed } from './user-messages.ts';
import type { Values } from './user-values.ts';

type Access = Pick<Values, 'clientIds' | 'allClients' | 'reportTypeIds'> & { roleId?: number };

/** Takes over a colleague's access as it is now, as far as one may give it on. */
export function useTakeOver(opened: boolean, roleFacts: RoleFacts, set: (access: Access) => void) {
  const me = useSessionUser();
  const [colleague, setColleague] = useState<UserRow | null>(null);
  const [words, setWords] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const wanted = useRef(0);
  useEffect(() => {
    if (opened) return;
    wanted.current = 0;
    setColleague(null);
    setWords(null);
    setBusy(false);
  }, [opened]);

  const takeOver = async (chosen: UserRow) => {
    wanted.current = chosen.id;
    setColleague(chosen);
    setWords(null);
    setBusy(true);
    try {
      const now = await loadUser(chosen.id);
      if (wanted.current !== chosen.id) return;
      const mayGive = roleFacts.mayGive(now.roleId);
      const allClients = now.allClients && mayGive && reachesEveryClient(me);
      const clientIds = now.clientIds.filter((id) => reachesClient(me, id));
      const reportTypeIds = now.reportTypeIds.filter((id) => usesReportType(me, id));
      set({ clientIds, allClients, reportTypeIds, ...(mayGive ? { roleId: now.roleId } : {}) });
      setWords(
        takenWords({
          from: now.fullName,
          roleName: mayGive ? now.roleName : null,
          seesAll: mayGive && roleFacts.reachesAll(now.roleId),
          clients: clientIds.length,
          allClients,
          keepsAllClients: now.allClients && !reachesEveryClient(me),
          reportTypes: reportTypeIds.length,
          left: now.clientIds.length - clientIds.length + now.reportTypeIds.length - reportTypeIds.length,
        }),
      );
    } catch (error) {
      if (wanted.current !== chosen.id) return;
      setColleague(null);
      toastFault(error, userFailed.takeOverAccess);
    } finally {
      if (wanted.current === chosen.id) setBusy(false);
    }
  };
  /** What it says was about somebody who is saved by now. */
  const forget = () => {
    setColleague(null);
    setWords(null);
  };
  return { colleague, words, busy, takeOver, forget };
}

export type TakeOver = ReturnType<typeof useTakeOver>;
