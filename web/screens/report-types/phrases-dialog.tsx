// The dialog of a report type's phrases: the list of them, one to add, any to remove.
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { IconTextScan2, IconX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { PHRASES_MAX } from '#contract/phrase-words.ts';
import { Phrase, PhrasesInput, type ReportTypeRow } from '#contract/report-types.ts';
import { searchForm } from '#contract/search.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { loadReportType, useSavePhrases } from '#web/data/report-types.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { phraseDone, phraseFailed, phraseWords } from './phrase-messages.ts';
import classes from './phrases-dialog.module.css';

/** Why a phrase cannot be added to these; null where it can. */
function faultOf(draft: string, phrases: readonly string[]): string | null {
  const { error, data } = Phrase.safeParse(draft);
  if (error !== undefined) return error.issues[0]?.message ?? null;
  const form = searchForm(data);
  return phrases.some((phrase) => searchForm(phrase) === form) ? phraseWords.twice : null;
}

const valuesOf = ({ phrases }: Pick<ReportTypeRow, 'phrases'>): PhrasesInput => ({ phrases: [...phrases] });

export function PhrasesDialog({ opened, close, subject }: Dialog<ReportTypeRow>) {
  const saving = useSavePhrases();
  const name = subject?.name ?? '';
  const { form, dirty, submit, conflict } = useDialogForm<PhrasesInput>({
    opened,
    values: valuesOf(subject ?? { phrases: [] }),
    schema: PhrasesInput,
    edited: editedRow(subject, ({ id }) => loadReportType(id), valuesOf),
  });
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!opened) return;
    setDraft('');
    setFault(null);
  }, [opened]);

  const { phrases } = form.values;
  const isFull = phrases.length >= PHRASES_MAX;
  const setPhrases = (next: string[]) => {
    form.clearErrors();
    form.setFieldValue('phrases', next);
  };
  const add = () => {
    if (draft.trim() === '') return;
    const found = faultOf(draft, phrases);
    setFault(found);
    if (found !== null) return;
    setPhrases([...phrases, Phrase.parse(draft)]);
    setDraft('');
  };
  const remove = (phrase: string) => {
    setPhrases(phrases.filter((other) => other !== phrase));
    field.current?.focus();
  };

  const save = async (values: PhrasesInput, ifMatch?: string) => {
    if (subject === null) return;
    // What is typed and not added yet is saved too.
    const typed = draft.trim() === '' ? [] : [Phrase.parse(draft)];
    await saving.mutateAsync({ id: subject.id, phrases: [...values.phrases, ...typed], ifMatch });
    toast.success(phraseDone.phrasesSaved);
    close();
  };
  const refused = (error: unknown) => {
    toastFault(error, phraseFailed.savePhrases);
    return fieldFaultsOf(error);
  };
  const saveAll = (event: FormEvent<HTMLFormElement>) => {
    const found = draft.trim() === '' ? null : faultOf(draft, phrases);
    setFault(found);
    if (found === null) return submit(save, refused)(event);
    event.preventDefault();
    field.current?.focus();
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Phrases of ${name}`}
      dirty={dirty || draft.trim() !== ''}
      busy={saving.isPending}
      conflict={conflict}
      onSubmit={saveAll}
      submitLabel="Save"
      busyLabel="Saving..."
      size="md"
    >
      {phrases.length === 0 ? (
        <EmptyState
          title={phraseWords.none}
          hint={<span className={classes.words}>{phraseWords.hint(name)}</span>}
          icon={<IconTextScan2 size={24} stroke={1.5} />}
        />
      ) : (
        <PhraseList name={name} phrases={phrases} errors={form.errors} disabled={saving.isPending} onRemove={remove} />
      )}
      <AddPhrase
        field={field}
        draft={draft}
        onType={(typed) => {
          setDraft(typed);
          setFault(null);
        }}
        onAdd={add}
        fault={fault ?? form.errors[`phrases.${phrases.length}`]}
        isFull={isFull}
        disabled={isFull || saving.isPending}
      />
    </FormDialog>
  );
}

interface PhraseListProps {
  /** Of the report type. */
  name: string;
  phrases: readonly string[];
  errors: Readonly<Record<string, ReactNode>>;
  disabled: boolean;
  onRemove: (phrase: string) => void;
}

function PhraseList({ name, phrases, errors, disabled, onRemove }: PhraseListProps) {
  return (
    <Stack gap={8}>
      <Text c="dimmed" size="sm" className={classes.words ?? ''}>
        {phraseWords.about(name)}
      </Text>
      <ul className={classes.phrases} aria-label="Phrases">
        {phrases.map((phrase, nth) => (
          <li key={phrase} className={classes.phrase}>
            <span className={classes.words}>
              <Breakable text={phrase} />
              {errors[`phrases.${nth}`] ? (
                <span role="alert" className={classes.fault}>
                  {errors[`phrases.${nth}`]}
                </span>
              ) : null}
            </span>
            <IconButton
              label={`Remove ${phrase}`}
              tip="Remove"
              icon={<IconX size={16} aria-hidden />}
              onClick={() => onRemove(phrase)}
              disabled={disabled}
            />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

interface AddPhraseProps {
  field: RefObject<HTMLInputElement | null>;
  /** What is typed and not added yet. */
  draft: string;
  onType: (draft: string) => void;
  onAdd: () => void;
  fault: ReactNode;
  isFull: boolean;
  disabled: boolean;
}

function AddPhrase({ field, draft, onType, onAdd, fault, isFull, disabled }: AddPhraseProps) {
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || draft.trim() === '') return;
    // With nothing typed, Enter saves.
    event.preventDefault();
    onAdd();
  };
  return (
    <div className={classes.adding}>
      <TextInput
        ref={field}
        label="Add a Phrase"
        description={isFull ? phraseWords.full(PHRASES_MAX) : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        aria-required={false}
        placeholder="Weekly Hours Report"
        autoComplete="off"
        data-autofocus
        value={draft}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={addOnEnter}
        error={fault}
        disabled={disabled}
      />
      <Button
        variant="default"
        className={classes.add ?? ''}
        onClick={() => {
          onAdd();
          field.current?.focus();
        }}
        disabled={disabled}
      >
        Add
      </Button>
    </div>
  );
}
