// The report type that a person last chose: remembered between visits, the same in every component and tab (docs/behaviour.md, Files: reports of firm staff).
import { useLocalStorage } from '@mantine/hooks';
import { useCallback } from 'react';

const STORED_KEY = 'selectedReportTypeId';

/** The remembered id, null for none, and the function that changes it everywhere at once. */
export function useReportTypeChoice(): [number | null, (reportTypeId: number | null) => void] {
  const [choice, setChoice, forget] = useLocalStorage<number | null>({
    key: STORED_KEY,
    defaultValue: null,
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (stored) => {
      const id = Number(stored);
      return Number.isSafeInteger(id) && id >= 1 ? id : null;
    },
  });
  const choose = useCallback(
    (reportTypeId: number | null) => (reportTypeId === null ? forget() : setChoice(reportTypeId)),
    [setChoice, forget],
  );
  return [choice, choose];
}
