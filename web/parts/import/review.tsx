// What is read of a CSV, before it is imported: how its columns are matched, what is wrong, the first rows.

import { Alert, Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { counted } from '#contract/plain-words.ts';
import { saveBlob } from '#web/lib/file-access.ts';
import { formatCount } from '#web/lib/format.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { QuietButton } from '#web/ui/quiet-button.tsx';
import { csvBlob } from './csv-blob.ts';
import classes from './import-dialog.module.css';
import { type ImportKind, type ImportState, lacksColumn } from './import-kind.ts';
import type { Judgement, RowFault } from './judge.ts';

const ROWS_SHOWN = 5;

const FAULTS_SHOWN = 100;

const WARNINGS_SHOWN = 5;

interface ReviewProps<Field extends string> {
  kind: ImportKind<Field>;
  state: ImportState<Field>;
  onMatch: (field: Field, at: number | null) => void;
  onRetry: () => void;
  onRestart: () => void;
  busy: boolean;
  onlySound: boolean;
  onOnlySound: (only: boolean) => void;
  soundCount: number;
  warnings: readonly Pick<RowFault, 'row' | 'sentence'>[];
  choice: ReactNode;
}

const ABSENT = 'absent';

export function Review<Field extends string>(props: ReviewProps<Field>) {
  const { kind, state, onMatch, onRetry, onRestart, busy, onlySound, onOnlySound, soundCount, warnings, choice } =
    props;
  const { sheet, matching, judgement } = state;
  /** The pressed button went with the choice of a file. */
  const name = useRef<HTMLParagraphElement>(null);
  useEffect(() => name.current?.focus(), []);
  const used = new Set(Object.values(matching));
  const ignored = sheet.header.filter((_, index) => !used.has(index));
  const titles = sheet.header.map((header, index) => header || importWords.columnWithoutName(index + 1));
  const faults = judgement?.faults ?? [];
  const total = sheet.rows.length;

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text ref={name} tabIndex={-1} fw={500} style={{ overflowWrap: 'anywhere' }}>
          {sheet.name}: {counted(total, 'row')}
        </Text>
        <Button variant="default" size="xs" onClick={onRestart} disabled={busy}>
          Choose Another File
        </Button>
      </Group>
      {sheet.note === null ? null : <Text c="dimmed">{sheet.note}</Text>}
      <Verdict kind={kind} state={state} soundCount={soundCount} onRetry={onRetry} />
      {warnings.length === 0 ? null : (
        <Alert
          role="status"
          title={importWords.warned(counted(warnings.length, 'row'))}
          classNames={{ root: classes.warned ?? '', title: classes.warnedTitle ?? '' }}
        >
          {warnings.slice(0, WARNINGS_SHOWN).map(({ row, sentence }) => (
            <div key={row}>{importWords.ofRow(row, sentence)}</div>
          ))}
          {warnings.length > WARNINGS_SHOWN
            ? importWords.warnedMore(warnings.slice(WARNINGS_SHOWN).map(({ row }) => row))
            : null}
        </Alert>
      )}
      {faults.length === 0 ? null : (
        <Faults
          list={kind.list}
          faults={faults}
          soundCount={soundCount}
          busy={busy}
          onlySound={onlySound}
          onOnlySound={onOnlySound}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md" verticalSpacing="sm">
        {kind.columns.map(({ field, label, absent }) => {
          const at = matching[field];
          return (
            <NativeSelect
              key={field}
              label={label}
              value={at === null ? ABSENT : String(at)}
              disabled={busy}
              error={at === null && absent === undefined ? importWords.noColumn : undefined}
              onChange={(event) => {
                const { value } = event.currentTarget;
                onMatch(field, value === ABSENT ? null : Number(value));
              }}
              data={[
                { value: ABSENT, label: importWords.notInFile(absent?.words) },
                ...titles.map((title, index) => ({ value: String(index), label: title })),
              ]}
            />
          );
        })}
      </SimpleGrid>
      {choice}
      {ignored.length === 0 ? null : (
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {importWords.ignored(titles.filter((_, index) => !used.has(index)))}
        </Text>
      )}
      <Sample kind={kind} state={state} />
    </Stack>
  );
}

type VerdictProps<Field extends string> = Pick<ReviewProps<Field>, 'kind' | 'state' | 'soundCount' | 'onRetry'>;

/** Whether the rows can be imported, as far as that is known. */
function Verdict<Field extends string>({ kind, state, soundCount, onRetry }: VerdictProps<Field>) {
  const { sheet, matching, judgement, trouble } = state;
  const faults = judgement?.faults ?? [];
  const total = sheet.rows.length;
  return (
    // An alert is said by itself: within the status it would be said twice.
    <div>
      <div role="status">
        {trouble !== null ? null : judgement === null ? (
          <Text c="dimmed">{lacksColumn(kind.columns, matching) ? importWords.lacking : importWords.checking}</Text>
        ) : faults.length === 0 ? (
          <Text>{importWords.sound(counted(total, 'row'))}</Text>
        ) : (
          <Text fw={500} c="var(--mantine-color-error)">
            {importWords.faulty(counted(faults.length, 'fault'), counted(total - soundCount, 'row'))}
          </Text>
        )}
      </div>
      {trouble === null ? null : (
        <Alert color="red" title={importWords.notChecked}>
          <Stack gap="xs" align="flex-start">
            {trouble}
            <Button variant="default" size="xs" onClick={onRetry}>
              Check Again
            </Button>
          </Stack>
        </Alert>
      )}
    </div>
  );
}

interface FaultsProps<Field extends string>
  extends Pick<ReviewProps<Field>, 'soundCount' | 'busy' | 'onlySound' | 'onOnlySound'> {
  list: string;
  faults: Judgement<Field>['faults'];
}

/** What is wrong, and whether the rows without a fault are imported all the same. */
function Faults<Field extends string>(props: FaultsProps<Field>) {
  const { list, faults, soundCount, busy, onlySound, onOnlySound } = props;
  return (
    <Stack gap="xs">
      <ScrolledTable label="What is wrong">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Row</Table.Th>
            <Table.Th>Column</Table.Th>
            <Table.Th>What is wrong</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {faults.slice(0, FAULTS_SHOWN).map(({ row, column, sentence }) => (
            <Table.Tr key={`${row} ${column} ${sentence}`}>
              <Table.Td>{row}</Table.Td>
              <Table.Td>{column}</Table.Td>
              <Table.Td>{sentence}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrolledTable>
      <Group justify="space-between" gap="xs">
        <QuietButton
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() =>
            saveBlob(
              csvBlob([
                ['Row', 'Column', 'What is wrong'],
                ...faults.map(({ row, column, sentence }) => [String(row), column, sentence]),
              ]),
              `${list}-faults.csv`,
            )
          }
        >
          {faults.length > FAULTS_SHOWN ? `Download all ${formatCount(faults.length)} faults` : 'Download the faults'}
        </QuietButton>
        {soundCount === 0 ? null : (
          <Checkbox
            checked={onlySound}
            disabled={busy}
            onChange={(event) => onOnlySound(event.currentTarget.checked)}
            label={importWords.onlySound(counted(soundCount, 'row'))}
          />
        )}
      </Group>
    </Stack>
  );
}

/** Scrolls by keyboard too. */
function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <Table>{children}</Table>
    </section>
  );
}

/** The first rows, as they would be stored. */
function Sample<Field extends string>({ kind, state }: { kind: ImportKind<Field>; state: ImportState<Field> }) {
  const rows = state.judgement?.rows.slice(0, ROWS_SHOWN) ?? [];
  if (rows.length === 0) return null;
  return (
    <ScrolledTable label="The first rows">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Row</Table.Th>
          {kind.columns.map(({ field, label }) => (
            <Table.Th key={field}>{label}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ row, values }) => (
          <Table.Tr key={row}>
            <Table.Td>{row}</Table.Td>
            {kind.columns.map(({ field, show }) => (
              <Table.Td key={field} title={show ? undefined : values[field]} className={classes.cell ?? ''}>
                {show ? show(values[field]) : values[field]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrolledTable>
  );
}
