// Asks about a period that contradicts its report type: it may be changed, or kept.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { type PeriodKind, periodName } from '#contract/period.ts';
import { periodDoubt } from '#contract/usual-periods.ts';
import { formatDate } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import classes from './period-doubt.module.css';

const kindWords: Record<PeriodKind, string> = {
  payDate: 'a pay date',
  month: 'a month',
  quarter: 'a quarter',
  year: 'a year',
};

/** What was kept, as long as the page is open: nobody is asked twice. */
const kept = new Set<string>();

export interface PeriodDoubtProps {
  /** What it is asked of: 'W2.pdf', or the id of a document. */
  of: string;
  /** Null for none. */
  typeName: string | null;
  period: string | null;
  onChange: (period: string) => void;
  disabled?: boolean;
}

export function PeriodDoubt({ of, typeName, period, onChange, disabled = false }: PeriodDoubtProps) {
  const [, draw] = useState(0);
  if (typeName === null || period === null) return null;
  const doubt = periodDoubt(typeName, period);
  const key = JSON.stringify([of, typeName, period]);
  if (doubt === null || kept.has(key)) return null;
  const name = periodName(period, formatDate);
  const instead = doubt.instead === null ? null : periodName(doubt.instead, formatDate);
  return (
    <p className={classes.doubt} role="status">
      <span>
        <Breakable text={typeName} /> is for {kindWords[doubt.kind]}. {name}?
      </span>
      {instead === null ? null : (
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onChange(doubt.instead ?? period)}
          disabled={disabled}
        >
          Change to {instead}
        </Button>
      )}
      <Button
        variant="default"
        size="compact-xs"
        disabled={disabled}
        onClick={() => {
          kept.add(key);
          draw((count) => count + 1);
        }}
      >
        Keep {name}
      </Button>
    </p>
  );
}

export interface PeriodDoubtsProps extends Omit<PeriodDoubtProps, 'of' | 'typeName'> {
  /** Files by their ids, or what else has a type and a period. */
  files: readonly { readonly id: number | string; readonly reportTypeName: string | null }[];
}

/** The period that all of them have. */
export function periodOfAll(files: readonly { readonly period: string | null }[]): string | null {
  const [first = null, ...others] = new Set(files.map(({ period }) => period));
  return others.length === 0 ? first : null;
}

/** The same about several files: once for each report type among them. */
export function PeriodDoubts({ files, ...asked }: PeriodDoubtsProps) {
  const of = files.map(({ id }) => id).join();
  const names = new Set(files.map(({ reportTypeName }) => reportTypeName));
  return [...names].map((name) => <PeriodDoubt key={name} of={of} typeName={name} {...asked} />);
}
