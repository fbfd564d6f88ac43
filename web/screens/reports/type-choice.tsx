// Which report type the reports screen of firm staff shows.
import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { addressOf } from '#web/parts/files/file-filters.ts';
import { type ReportTypeChoice, WITHOUT_TYPE_WORDS } from '#web/parts/report-types/type-selects.tsx';
import { missingReports } from '#web/parts/users/missing-access.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import classes from './cpa-reports.module.css';

/** What the screen shows: a report type, or the reports without one. */
export interface ShownType {
  readonly id: ReportTypeChoice;
  readonly name: string;
}

export const withoutType: ShownType = { id: WITHOUT_TYPE, name: WITHOUT_TYPE_WORDS };

const CHOOSE_TYPE = 'Select Report Type:';

interface TypeChoiceProps {
  types: readonly ShownType[] | undefined;
  chosenId: ReportTypeChoice | null;
  onChoose: (id: ReportTypeChoice) => void;
}

/** Buttons; on a phone a list, so that the reports begin on the first screen. */
export function TypeChoice({ types, chosenId, onChoose }: TypeChoiceProps) {
  const lacking = missingReports(useSessionUser());
  if (types?.length === 0) {
    return <EmptyState title={lacking ?? empty.checklistReportTypes} icon={<IconFileText size={24} stroke={1.5} />} />;
  }
  return (
    <>
      <fieldset className={classes.types} aria-busy={types === undefined}>
        <legend className={classes.legend}>{CHOOSE_TYPE}</legend>
        {types === undefined
          ? ['8rem', '6rem', '9rem'].map((width) => <Skeleton key={width} height={30} width={width} />)
          : types.map(({ id, name }) => (
              <Button
                key={id}
                size="xs"
                variant={id === chosenId ? 'filled' : 'default'}
                aria-pressed={id === chosenId}
                onClick={() => onChoose(id)}
                className={classes.type ?? ''}
              >
                {name}
              </Button>
            ))}
      </fieldset>
      <NativeSelect
        className={classes.typeList ?? ''}
        label={CHOOSE_TYPE}
        value={addressOf(chosenId)}
        onChange={(event) => {
          const chosen = types?.find(({ id }) => addressOf(id) === event.currentTarget.value);
          if (chosen) onChoose(chosen.id);
        }}
        disabled={types === undefined}
        data={types?.map(({ id, name }) => ({ value: addressOf(id), label: name })) ?? []}
      />
    </>
  );
}
