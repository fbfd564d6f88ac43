// The command palette: pages, actions, clients, files and users by words, and what was opened last, from any page, by keyboard.

import {
  Kbd,
  Modal,
  Skeleton,
  TextInput,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import { searchable } from '#contract/search.ts';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { signOut } from '#web/data/session.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useClientOfPage } from '#web/parts/clients/chosen-client.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { MarkedText } from '#web/ui/marked-text.tsx';
import { rescueFocus } from '#web/ui/rescue-focus.ts';
import { useHistoryStep } from '#web/ui/use-history-step.ts';
import { openSheet, type SheetProps, typedAhead } from '../shortcuts/command-sheet.ts';
import { goTargetsOf } from '../shortcuts/shortcut-keys.ts';
import classes from './palette.module.css';
import {
  actionEntries,
  clientActionEntries,
  clientEntries,
  type Entry,
  fileEntries,
  insideEntries,
  pageEntries,
  recentEntries,
  reportTypeEntries,
  subjectOf,
  userEntries,
} from './palette-entries.ts';
import { useFound } from './use-found.ts';
import { useRecent } from './use-recent.ts';

const LIST_ID = 'palette-results';
const optionId = (entry: Entry) => `palette-${entry.id}`;

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** How many more are about to arrive. */
  readonly awaited?: number;
}

export function Palette({ opened, onClose }: SheetProps) {
  const [typed, setTyped] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [enteredFor, setEnteredFor] = useState<string | null>(null);
  const words = searchable(typed).trim().replace(/\s+/g, ' ');
  const { run, afterClosing } = useRunning(onClose);
  useHistoryStep(onClose);

  const { groups, found, recent } = useGroups(opened, words);
  const entries = groups.flatMap((group) => group.entries);
  // Selected by its id and not by its position: entries that arrive above it must not slip under Enter.
  const nth = Math.max(
    entries.findIndex((entry) => entry.id === chosenId),
    0,
  );
  // What was opened last is about to arrive above the others: until then none of them is selected by itself.
  const chosen = recent.loading && chosenId === null ? undefined : entries[nth];

  // Enter pressed while these words are still being searched opens the first that is found for them.
  const awaiting = enteredFor === words && opened;
  const runFirst = useEffectEvent(() => {
    setEnteredFor(null);
    if (chosen) run(chosen);
  });
  const busy = found.searching || recent.loading;
  useEffect(() => {
    if (awaiting && !busy) runFirst();
  }, [awaiting, busy]);

  const steer = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosenId(entries.at((nth + step) % entries.length)?.id ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (chosen) run(chosen);
      else if (found.searching) setEnteredFor(words);
    }
  };

  const none = entries.length === 0 && !found.searching && found.faults.length === 0;
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={620}
      padding={0}
      centered={false}
      yOffset="min(10dvh, 6rem)"
      transitionProps={{ duration: 100, transition: 'fade' }}
      onExitTransitionEnd={() => {
        setTyped('');
        setChosenId(null);
        setEnteredFor(null);
        afterClosing();
        rescueFocus();
      }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label="Search" radius="md" className={classes.palette ?? ''}>
        <SearchField
          typed={typed}
          onType={(text) => {
            setTyped(text);
            setChosenId(null);
            setEnteredFor(null);
          }}
          onTypedAhead={(ahead) => setTyped((before) => before + ahead)}
          hasResults={entries.length > 0}
          chosen={chosen}
          onKeyDown={steer}
        />
        {entries.length > 0 ? <Results groups={groups} chosen={chosen} onChoose={run} /> : null}
        {none ? <p className={classes.none}>Nothing found for &ldquo;{words}&rdquo;</p> : null}
        <SearchFaults found={found} />
        <div className={classes.foot} data-searching={found.searching || undefined}>
          <div role="status">
            {found.searching ? 'Searching...' : <VisuallyHidden>{countOf(entries.length)}</VisuallyHidden>}
          </div>
          <KeyHints />
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Opens entries; what one of them leads to may have to wait until the palette has closed. */
function useRunning(onClose: () => void) {
  const [, choose] = useClientOfPage();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const afterwards = useRef<(() => void) | null>(null);
  const run = ({ leadsTo }: Entry) => {
    onClose();
    if (leadsTo === 'logout') signOut();
    // Once the palette has closed and restored the focus, so that the next dialog knows where to return it.
    else if (leadsTo === 'shortcuts') afterwards.current = () => openSheet('shortcuts');
    else if (typeof leadsTo === 'string') setColorScheme(leadsTo);
    else if ('chooses' in leadsTo) choose(leadsTo.chooses);
    else void navigate({ to: leadsTo.to, search: leadsTo.search ?? {} });
  };
  const afterClosing = () => {
    afterwards.current?.();
    afterwards.current = null;
  };
  return { run, afterClosing };
}

/** What is found for these words, under its titles, and what is still on its way. */
function useGroups(opened: boolean, words: string) {
  const user = useSessionUser();
  const shownScheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const found = useFound(opened ? words : '');
  const recent = useRecent(opened && words === '');
  const forClient = { title: 'For this client', entries: clientActionEntries(user, found.clients.rows, words) };
  const asksForClient = subjectOf(words) !== words;

  const groups: readonly Group[] = [
    { title: 'Recent', entries: recentEntries(user, recent.rows), awaited: recent.expected - recent.rows.length },
    { title: 'Pages', entries: pageEntries(user, words) },
    { title: 'Actions', entries: actionEntries(user, shownScheme, words) },
    // Last, because they arrive later: entries above them do not move.
    ...(asksForClient ? [forClient] : []),
    { title: 'Clients', entries: clientEntries(user, found.clients, subjectOf(words)) },
    ...(asksForClient ? [] : [forClient]),
    { title: 'Files', entries: fileEntries(user, found.files, found.filesByKind, words) },
    { title: 'Report types', entries: reportTypeEntries(user, found.reportTypes) },
    { title: 'Users', entries: userEntries(found.users, words) },
    { title: 'Inside documents', entries: insideEntries(found.inside, words) },
  ];
  return { groups, found, recent };
}

interface SearchFieldProps {
  typed: string;
  onType: (text: string) => void;
  /** Told what was typed before the field was there. */
  onTypedAhead: (text: string) => void;
  hasResults: boolean;
  /** What Enter opens. */
  chosen: Entry | undefined;
  onKeyDown: (event: KeyboardEvent) => void;
}

function SearchField({ typed, onType, onTypedAhead, hasResults, chosen, onKeyDown }: SearchFieldProps) {
  const searches = reachesEveryUser(useSessionUser())
    ? 'Search pages, clients, files and users'
    : 'Search pages, clients and files';
  return (
    <TextInput
      variant="unstyled"
      className={classes.search ?? ''}
      placeholder={`${searches}...`}
      aria-label={searches}
      leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      leftSectionWidth={46}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      role="combobox"
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-expanded={hasResults}
      aria-controls={hasResults ? LIST_ID : undefined}
      aria-activedescendant={chosen ? optionId(chosen) : undefined}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onFocus={() => {
        const ahead = typedAhead.take();
        if (ahead !== '') onTypedAhead(ahead);
      }}
      data-autofocus
    />
  );
}

function SearchFaults({ found }: { found: ReturnType<typeof useFound> }) {
  if (found.faults.length === 0) return null;
  return (
    <div role="alert" className={classes.fault}>
      <p>{found.faults.map(({ subject, reason }) => `${subject} could not be searched: ${reason}`).join(' ')}</p>
      <UnstyledButton className={classes.retry} onClick={found.retry}>
        Retry
      </UnstyledButton>
    </div>
  );
}

function KeyHints() {
  return (
    <div className={classes.hints} aria-hidden>
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to move
      </span>
      <span>
        <Kbd size="xs">Enter</Kbd> to open
      </span>
      <span>
        <Kbd size="xs">Esc</Kbd> to close
      </span>
    </div>
  );
}

function countOf(results: number): string {
  if (results === 0) return 'Nothing found';
  return results === 1 ? '1 result' : `${results} results`;
}

interface ResultsProps {
  groups: readonly Group[];
  /** What Enter opens. */
  chosen: Entry | undefined;
  onChoose: (entry: Entry) => void;
}

function Results({ groups, chosen, onChoose }: ResultsProps) {
  const user = useSessionUser();
  const [keysOn] = useSingleKeyShortcuts();
  const goTargets = keysOn ? goTargetsOf(user) : [];
  const chosenElement = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry was chosen, so another element is meant
  useEffect(() => {
    chosenElement.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);

  return (
    <div id={LIST_ID} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(({ title, entries, awaited = 0 }) =>
        entries.length + awaited === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields; this groups options of a listbox
          <div key={title} role="group" aria-label={title}>
            <p className={classes.heading} aria-hidden>
              {title}
            </p>
            {entries.map((entry) => {
              const Icon = entry.icon;
              const key = goTargets.find(({ item }) => `page-${item.to}` === entry.id)?.key;
              return (
                <UnstyledButton
                  key={entry.id}
                  id={optionId(entry)}
                  ref={entry.id === chosen?.id ? chosenElement : null}
                  role="option"
                  aria-selected={entry.id === chosen?.id}
                  className={classes.entry}
                  // The keyboard moves among them from the field above.
                  tabIndex={-1}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onChoose(entry)}
                >
                  <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
                  <span className={classes.words}>
                    <Breakable text={entry.label} />
                    {entry.description ? <span className={classes.description}>{entry.description}</span> : null}
                    {entry.excerpt ? (
                      <span className={classes.description}>
                        <MarkedText text={entry.excerpt.snippet} marks={entry.excerpt.marks} />
                      </span>
                    ) : null}
                  </span>
                  {key ? (
                    <span className={classes.keys} aria-hidden>
                      <Kbd size="xs">G</Kbd> <Kbd size="xs">{key.toUpperCase()}</Kbd>
                    </span>
                  ) : null}
                </UnstyledButton>
              );
            })}
            {Array.from({ length: awaited }, (_, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: grey entries have nothing but their place
              <div key={`grey-${nth}`} className={classes.awaited} aria-hidden>
                <Skeleton height={12} width="45%" />
              </div>
            ))}
          </div>
        ),
      )}
    </div>
  );
}
