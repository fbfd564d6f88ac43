// The chosen client in the header: its name, a searchable list to change it, and a button to clear it.

import { ActionIcon, Button, Combobox, Tooltip, useCombobox } from '@mantine/core';
import { IconBuilding, IconChevronDown, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { clientQuery, clientsQuery } from '#web/data/clients.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { formatCount } from '#web/lib/format.ts';
import { noMatch } from '#web/lib/messages.ts';
import { useClientOfPage, useRememberedClient } from '#web/parts/clients/chosen-client.ts';
import { nameApart } from '#web/parts/clients/name-apart.ts';
import { isAnswered, useSelectSearch } from '#web/ui/searched-select.tsx';
import classes from './client-chooser.module.css';

const NONE = 'none';

/** As much of the answer as is told below the list. */
interface Found {
  readonly error: Error | null;
  readonly data: { readonly rows: readonly unknown[]; readonly total: number } | undefined;
}

/** How many of the clients are shown, or why none is. */
function noteOf({ error, data }: Found, answered: boolean) {
  if (error) return error.message;
  if (!answered || data === undefined) return 'Searching...';
  const { rows, total } = data;
  if (rows.length === 0) return noMatch.clients;
  return `${formatCount(rows.length)} of ${formatCount(total)} shown. Type to find others.`;
}

/** The client in force and its name, undefined for none; one that is gone is remembered no longer. */
function useNamedClient() {
  const [clientId, choose] = useClientOfPage();
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });
  const gone = clientId !== null && client.error instanceof ApiFault && client.error.status === 404;
  const name = clientId === null || gone ? undefined : client.data?.name;
  const [remembered, remember] = useRememberedClient();
  const forgets = gone && remembered === clientId;
  useEffect(() => {
    if (forgets) remember(null);
  }, [forgets, remember]);
  return { clientId, name, choose };
}

/** The list below the button: opens and closes, searches, and has the first that was found chosen by Enter. */
function useClientList() {
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      search.setText('');
      combobox.resetSelectedOption();
      // Once a press beside it has moved the focus: a field that was pressed keeps it, and what is typed there.
      setTimeout(() => {
        const { activeElement } = document;
        if (activeElement === document.body || activeElement === combobox.searchRef.current) combobox.focusTarget();
      });
    },
  });
  const opened = combobox.dropdownOpened;
  const search = useSelectSearch('');
  const answer = useQuery({ ...clientsQuery({ sort: 'name', ...search.query }), enabled: opened });
  const answered = isAnswered(search, answer);
  const rows = answered ? (answer.data?.rows ?? []) : [];
  // Enter takes the first that was found, and nothing of the search before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are shown
  useEffect(() => {
    if (search.wanted === '') combobox.resetSelectedOption();
    else combobox.selectFirstOption();
  }, [rows.length, search.wanted, answered]);
  const areAll = rows.length > 0 && rows.length >= (answer.data?.total ?? 0);
  return { combobox, opened, search, rows, note: noteOf(answer, answered), areAll };
}

export function ClientChooser({ className }: { className: string }) {
  const { clientId, name, choose } = useNamedClient();
  const { combobox, opened, search, rows, note, areAll } = useClientList();

  return (
    <div className={`${classes.chooser} ${className}`}>
      <Combobox
        store={combobox}
        width={300}
        position="bottom-start"
        onOptionSubmit={(value) => {
          choose(value === NONE ? null : Number(value));
          combobox.closeDropdown();
        }}
      >
        <Combobox.Target withAriaAttributes={false}>
          <Button
            variant="default"
            size="xs"
            className={classes.button ?? ''}
            data-chosen={name !== undefined || undefined}
            title={name}
            aria-label={name === undefined ? 'Choose client' : `${name}, chosen client`}
            aria-haspopup="listbox"
            aria-expanded={opened}
            leftSection={<IconBuilding size={15} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            onClick={() => combobox.toggleDropdown()}
          >
            {name ?? 'Choose client'}
          </Button>
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Search
            role="combobox"
            aria-expanded={opened}
            aria-label="Search clients to choose"
            placeholder="Search clients..."
            maxLength={200}
            value={search.text}
            onChange={(event) => search.setText(event.currentTarget.value)}
            // Tab leads on from the button: the list itself stands at the end of the page.
            onKeyDown={({ key }) => {
              if (key !== 'Tab') return;
              combobox.targetRef.current?.focus();
              combobox.closeDropdown();
            }}
          />
          <Combobox.Options aria-label="Clients" className={classes.options ?? ''}>
            {name !== undefined && search.wanted === '' ? (
              <Combobox.Option value={NONE}>No chosen client</Combobox.Option>
            ) : null}
            {rows.map((row) => (
              <Combobox.Option
                key={row.id}
                value={String(row.id)}
                active={row.id === clientId}
                className={classes.option ?? ''}
              >
                {nameApart(row, rows)}
              </Combobox.Option>
            ))}
          </Combobox.Options>
          <div className={classes.note} role="status" hidden={areAll}>
            {note}
          </div>
        </Combobox.Dropdown>
      </Combobox>
      {name === undefined ? null : (
        <Tooltip label="Clear chosen client">
          <ActionIcon
            className={classes.clear ?? ''}
            aria-label="Clear chosen client"
            onClick={() => {
              choose(null);
              combobox.focusTarget();
            }}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}
