// The dialog that adds many rows of one noun from a CSV: choose, match, look at the faults, import.
import { Alert, Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Table, Text, Textarea } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import type { ImportResult } from '#contract/imports.ts';
import { counted } from '#contract/plain-words.ts';
import { reasonOf } from '#web/lib/api.ts';
import { saveBlob } from '#web/lib/file-access.ts';
import { formatCount } from '#web/lib/format.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { done, failed } from '#web/lib/messages.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { QuietButton } from '#web/ui/quiet-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';
import { type ImportColumn, knowsHeader, type Matching, matchColumns } from './columns.ts';
import classes from './import-dialog.module.css';
import { type ImportRow, type Judgement, judge } from './judge.ts';
import { csvBlob, readSheet, type Sheet, SheetFault, sheetOf } from './sheet.ts';

export interface ImportKind<Field extends string> {
  /** 'Import Clients' */
  readonly title: string;
  /** 'client', as counts name it. */
  readonly noun: string;
  /** 'clients', in the names of files. */
  readonly list: string;
  readonly columns: readonly ImportColumn<Field>[];
  /** One row, by the schema of the form. */
  readonly schema: z.ZodType;
}

/** What must still be taken away once the rows are there, such as generated passwords. */
export interface Keepsake {
  readonly words: string;
  readonly label: string;
  readonly fileName: string;
  readonly lines: readonly (readonly string[])[];
}

export interface ImportDialogProps<Field extends string> extends Pick<Dialog<never>, 'opened' | 'close'> {
  readonly kind: ImportKind<Field>;
  readonly send: (rows: Record<Field, string>[], dryRun: boolean) => Promise<ImportResult>;
  /** Fills in what a row may leave open. */
  readonly complete?: (row: ImportRow<Field>) => Record<Field, string>;
  /** What the person who imports should know of a row without a fault, such as that somebody will see nothing. */
  readonly warningOf?: (row: ImportRow<Field>) => string | null;
  /** What else the person decides about the rows before they are imported. */
  readonly choice?: ReactNode;
  readonly keepsakeOf?: (rows: readonly ImportRow<Field>[]) => Keepsake | null;
}

const ROWS_SHOWN = 5;
const FAULTS_SHOWN = 100;
const WARNINGS_SHOWN = 5;

type State<Field extends string> = {
  readonly sheet: Sheet;
  readonly matching: Matching<Field>;
  readonly judgement: Judgement<Field> | null;
  /** Why the rows could not be judged. */
  readonly trouble: string | null;
};

const lacksColumn = <Field extends string>(columns: ImportKind<Field>['columns'], matching: Matching<Field>) =>
  columns.some(({ field, absent }) => matching[field] === null && absent === undefined);

export function ImportDialog<Field extends string>(props: ImportDialogProps<Field>) {
  const { opened, close, kind, send, complete, warningOf, choice, keepsakeOf } = props;
  const { columns } = kind;
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [state, setState] = useState<State<Field> | null>(null);
  const [onlySound, setOnlySound] = useState(false);
  const [busy, setBusy] = useState(false);
  const [keepsake, setKeepsake] = useState<{ count: number; taken: boolean; what: Keepsake } | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  /** The newest judgement wins: columns may be changed while one is awaited. */
  const turn = useRef(0);

  const restart = () => {
    turn.current += 1;
    setText('');
    setFault(null);
    setState(null);
    setOnlySound(false);
    setKeepsake(null);
  };
  const leave = () => {
    close();
    restart();
  };

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

  const read = async (open: () => Sheet | Promise<Sheet>) => {
    setFault(null);
    try {
      const sheet = await open();
      setOnlySound(false);
      await match(sheet, matchColumns(sheet.header, columns));
    } catch (error) {
      setFault(error instanceof SheetFault ? error.message : importWords.unreadable);
    }
  };
  const knows = knowsHeader(columns);
  const choose = (file: File | undefined) => {
    if (file) void read(() => readSheet(file, knows));
  };
  const dragged = useDraggedFiles({
    onEnter: () => {},
    onDropElsewhere: ([file]) => choose(file),
    accepts: () => opened && !busy && keepsake === null,
  });
  const judgement = state?.judgement ?? null;
  const faulty = new Set(judgement?.faults.map(({ row }) => row));
  const sound = judgement?.rows.filter(({ row }) => !faulty.has(row)) ?? [];
  const ready = judgement !== null && (faulty.size === 0 || onlySound) ? sound : [];
  const warnings = ready.flatMap((row) => warningOf?.(row) ?? []);
  const awaitingText = state === null && text.trim() !== '';

  const take = (kept: NonNullable<typeof keepsake>) => {
    saveBlob(csvBlob(kept.what.lines), kept.what.fileName);
    setKeepsake({ ...kept, taken: true });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (keepsake) {
      if (keepsake.taken) leave();
      else take(keepsake);
      return;
    }
    if (state === null) {
      await read(() => sheetOf(importWords.pasted, text, knows));
      return;
    }
    setBusy(true);
    try {
      const { created } = await send(
        ready.map(({ values }) => values),
        false,
      );
      toast.success(done.imported(counted(created, kind.noun)));
      const what = keepsakeOf?.(ready) ?? null;
      if (what === null) leave();
      else setKeepsake({ count: created, taken: false, what });
    } catch (error) {
      toastFault(error, failed.import);
      // Somebody changed what is there meanwhile: the rows are judged anew.
      await match(state.sheet, state.matching);
    } finally {
      setBusy(false);
    }
  };

  const importLabel = ready.length === 0 ? 'Import' : `Import ${counted(ready.length, kind.noun)}`;
  const keepsakeLabel = keepsake?.taken ? 'Done' : keepsake?.what.label;
  const submitLabel = keepsakeLabel ?? (state === null ? 'Preview' : importLabel);

  return (
    <FormDialog
      opened={opened}
      onClose={leave}
      title={kind.title}
      size="xl"
      dirty={keepsake ? !keepsake.taken : state !== null || text.trim() !== ''}
      busy={busy}
      onSubmit={(event) => void submit(event)}
      submitLabel={submitLabel}
      busyLabel="Importing..."
      // What is imported is not cancelled any more.
      cancellable={keepsake === null}
      another={keepsake?.taken ? { label: importWords.takeAgain, go: () => take(keepsake) } : undefined}
      canSubmit={keepsake !== null || awaitingText || ready.length > 0}
    >
      {keepsake ? (
        <Alert color={keepsake.taken ? 'green' : 'yellow'} title={done.imported(counted(keepsake.count, kind.noun))}>
          {keepsake.taken ? importWords.taken : keepsake.what.words}
        </Alert>
      ) : state === null ? (
        <Stack gap="sm">
          <div className={classes.drop} data-over={dragged || undefined}>
            <Group gap="sm">
              <Button
                variant="default"
                leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
                ref={chooseButton}
                onClick={() => chooser.current?.click()}
                data-autofocus
              >
                Choose File
              </Button>
              <Text c="dimmed">{importWords.drop}</Text>
            </Group>
            <input
              ref={chooser}
              type="file"
              accept=".csv,.txt,.tsv,text/csv"
              hidden
              onChange={(event) => {
                choose(event.currentTarget.files?.[0]);
                event.currentTarget.value = '';
              }}
            />
          </div>
          <Textarea
            label="Or paste rows here"
            description={importWords.paste}
            placeholder={columns.map(({ label }) => label).join(', ')}
            autosize
            minRows={3}
            maxRows={8}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setFault(null);
            }}
          />
          <QuietButton
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() =>
              saveBlob(
                csvBlob([columns.map(({ label }) => label), columns.map(({ example }) => example)]),
                `${kind.list}-template.csv`,
              )
            }
          >
            Download a template
          </QuietButton>
        </Stack>
      ) : (
        <Review
          kind={kind}
          state={state}
          onMatch={(field, at) => void match(state.sheet, { ...state.matching, [field]: at })}
          onRetry={() => void match(state.sheet, state.matching)}
          onRestart={() => {
            flushSync(restart);
            chooseButton.current?.focus();
          }}
          busy={busy}
          onlySound={onlySound}
          onOnlySound={setOnlySound}
          soundCount={sound.length}
          warnings={warnings}
          choice={choice}
        />
      )}
      {fault === null ? null : (
        <Text role="alert" c="var(--mantine-color-error)">
          {fault}
        </Text>
      )}
    </FormDialog>
  );
}

interface ReviewProps<Field extends string> {
  kind: ImportKind<Field>;
  state: State<Field>;
  onMatch: (field: Field, at: number | null) => void;
  onRetry: () => void;
  onRestart: () => void;
  busy: boolean;
  onlySound: boolean;
  onOnlySound: (only: boolean) => void;
  soundCount: number;
  warnings: readonly string[];
  choice: ReactNode;
}

const ABSENT = 'absent';

function Review<Field extends string>(props: ReviewProps<Field>) {
  const { kind, state, onMatch, onRetry, onRestart, busy, onlySound, onOnlySound, soundCount, warnings, choice } =
    props;
  const { sheet, matching, judgement, trouble } = state;
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
      <div role="status" aria-live="polite">
        {trouble !== null ? (
          <Alert color="red" title={importWords.notChecked}>
            <Stack gap="xs" align="flex-start">
              {trouble}
              <Button variant="default" size="xs" onClick={onRetry}>
                Check Again
              </Button>
            </Stack>
          </Alert>
        ) : judgement === null ? (
          <Text c="dimmed">{lacksColumn(kind.columns, matching) ? importWords.lacking : importWords.checking}</Text>
        ) : faults.length === 0 ? (
          <Text>{importWords.sound(counted(total, 'row'))}</Text>
        ) : (
          <Text fw={500} c="var(--mantine-color-error)">
            {importWords.faulty(counted(faults.length, 'fault'), counted(total - soundCount, 'row'))}
          </Text>
        )}
      </div>
      {warnings.length === 0 ? null : (
        <Alert color="yellow" role="status" title={importWords.warned(counted(warnings.length, 'row'))}>
          {warnings.slice(0, WARNINGS_SHOWN).map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two people of one name have the same sentence
            <div key={index}>{sentence}</div>
          ))}
          {warnings.length > WARNINGS_SHOWN ? importWords.warnedMore(warnings.length - WARNINGS_SHOWN) : null}
        </Alert>
      )}
      {faults.length === 0 ? null : (
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
                  `${kind.list}-faults.csv`,
                )
              }
            >
              {faults.length > FAULTS_SHOWN
                ? `Download all ${formatCount(faults.length)} faults`
                : 'Download the faults'}
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
function Sample<Field extends string>({ kind, state }: { kind: ImportKind<Field>; state: State<Field> }) {
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
