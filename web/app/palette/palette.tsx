// The command palette: pages, actions, clients and files by name, from any page, by keyboard.

import {
  Kbd,
  Modal,
  TextInput,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { signOut } from '#web/data/session.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { rescueFocus } from '#web/ui/rescue-focus.ts';
import { goTargetsOf } from '../shortcuts/shortcut-keys.ts';
import { openSheet, type SheetProps } from './command-sheet.ts';
import classes from './palette.module.css';
import { actionEntries, clientEntries, type Entry, fileEntries, pageEntries } from './palette-entries.ts';
import { useFound } from './use-found.ts';

const LIST_ID = 'palette-results';
const optionId = (entry: Entry) => `palette-${entry.id}`;

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

export function Palette({ opened, onClose }: SheetProps) {
  const [typed, setTyped] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const words = typed.trim().replace(/\s+/g, ' ');
  const found = useFound(opened ? words : '');
  const user = useSessionUser();
  const shownScheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const afterwards = useRef<(() => void) | null>(null);

  const groups: readonly Group[] = [
    { title: 'Pages', entries: pageEntries(user, words) },
    { title: 'Actions', entries: actionEntries(shownScheme, words) },
    // Last, because they arrive later: entries above them do not move.
    { title: 'Clients', entries: clientEntries(user, found.clients) },
    { title: 'Files', entries: fileEntries(found.files) },
  ];
  const entries = groups.flatMap((group) => group.entries);
  // Selected by its id and not by its position: entries that arrive above it must not slip under Enter.
  const nth = Math.max(
    entries.findIndex((entry) => entry.id === chosenId),
    0,
  );
  const chosen = entries[nth];

  const run = ({ leadsTo }: Entry) => {
    onClose();
    if (typeof leadsTo === 'object') void navigate({ to: leadsTo.to, search: (leadsTo.search ?? {}) as never });
    else if (leadsTo === 'logout') signOut();
    // Once the palette has closed and restored the focus, so that the next dialog knows where to return it.
    else if (leadsTo === 'shortcuts') afterwards.current = () => openSheet('shortcuts');
    else setColorScheme(leadsTo);
  };

  const steer = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosenId(entries.at((nth + step) % entries.length)?.id ?? null);
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      run(chosen);
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
        afterwards.current?.();
        afterwards.current = null;
        rescueFocus();
      }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label="Search" radius="md" className={classes.palette ?? ''}>
        <TextInput
          variant="unstyled"
          className={classes.search ?? ''}
          placeholder="Search pages, clients and files..."
          aria-label="Search pages, clients and files"
          leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
          leftSectionWidth={46}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          role="combobox"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={chosen !== undefined}
          aria-controls={chosen ? LIST_ID : undefined}
          aria-activedescendant={chosen ? optionId(chosen) : undefined}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosenId(null);
          }}
          onKeyDown={steer}
          data-autofocus
        />
        {chosen ? <Results groups={groups} chosen={chosen} onChoose={run} /> : null}
        {none ? <p className={classes.none}>Nothing found for &ldquo;{words}&rdquo;</p> : null}
        {found.faults.length > 0 ? (
          <div role="alert" className={classes.fault}>
            <p>{found.faults.map(({ subject, reason }) => `${subject} could not be searched: ${reason}`).join(' ')}</p>
            <UnstyledButton className={classes.retry} onClick={found.retry}>
              Retry
            </UnstyledButton>
          </div>
        ) : null}
        <div className={classes.foot} data-searching={found.searching || undefined}>
          <div role="status">
            {found.searching ? 'Searching...' : <VisuallyHidden>{countOf(entries.length)}</VisuallyHidden>}
          </div>
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
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function countOf(results: number): string {
  if (results === 0) return 'Nothing found';
  return results === 1 ? '1 result' : `${results} results`;
}

interface ResultsProps {
  groups: readonly Group[];
  /** What Enter opens. */
  chosen: Entry;
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
  }, [chosen.id]);

  return (
    <div id={LIST_ID} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(({ title, entries }) =>
        entries.length === 0 ? null : (
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
                  ref={entry.id === chosen.id ? chosenElement : null}
                  role="option"
                  aria-selected={entry.id === chosen.id}
                  className={classes.entry}
                  // The keyboard moves among them from the field above.
                  tabIndex={-1}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onChoose(entry)}
                >
                  <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
                  <span className={classes.words}>
                    {entry.label}
                    {entry.description ? <span className={classes.description}>{entry.description}</span> : null}
                  </span>
                  {key ? (
                    <span className={classes.keys} aria-hidden>
                      <Kbd size="xs">G</Kbd> <Kbd size="xs">{key.toUpperCase()}</Kbd>
                    </span>
                  ) : null}
                </UnstyledButton>
              );
            })}
          </div>
        ),
      )}
    </div>
  );
}
