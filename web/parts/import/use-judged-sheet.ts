// A CSV as it is read, its columns matched and its rows judged.
import { useRef, useState } from 'react';
import { reasonOf } from '#web/lib/api-fault.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { type Matching, matchColumns } from './columns.ts';
import { type ImportKind, type ImportState, type ImportTarget, lacksColumn } from './import-kind.ts';
import { judge } from './judge.ts';
import { type Sheet, SheetFault } from './sheet.ts';

export function useJudgedSheet<Field extends string>(kind: ImportKind<Field>, { send, complete }: ImportTarget<Field>) {
  const { columns } = kind;
  const [fault, setFault] = useState<string | null>(null);
  const [state, setState] = useState<ImportState<Field> | null>(null);
  /** The newest judgement wins: columns may be changed while one is awaited. */
  const turn = useRef(0);

  const match = async (sheet: Sheet, matching: Matching<Field>) => {
    turn.current += 1;
    const mine = turn.current;
    setState({ sheet, matching, judgement: null, trouble: null });
    if (lacksColumn(columns, matching)) return;
    try {
      const judgement = await judge(sheet, matching, { ...kind, complete }, (rows) => send(rows, true));
      if (turn.current === mine) setState({ sheet, matching, judgement, trouble: null });
    } catch (error) {
      if (turn.current === mine) setState({ sheet, matching, judgement: null, trouble: reasonOf(error) });
    }
  };

  /** Reads another sheet; `whenRead` is called with it before its rows are judged. */
  const read = async (open: () => Sheet | Promise<Sheet>, whenRead: (sheet: Sheet) => void) => {
    setFault(null);
    try {
      const sheet = await open();
      whenRead(sheet);
      await match(sheet, matchColumns(sheet.header, columns));
    } catch (error) {
      setFault(error instanceof SheetFault ? error.message : importWords.unreadable);
    }
  };

  const restart = () => {
    turn.current += 1;
    setFault(null);
    setState(null);
  };
  return { state, fault, match, read, restart, forgetFault: () => setFault(null) };
}
