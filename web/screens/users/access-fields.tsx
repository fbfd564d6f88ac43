// Which clients and report types a user reaches, in the dialog of a user.
import { Button, Checkbox, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { reachesEveryClient } from '#contract/policy/reach.ts';
import type { RoleRow } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { usersQuery } from '#web/data/users.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { NothingToChoose } from '#web/parts/report-types/nothing-to-choose.tsx';
import { UserSelect } from '#web/parts/users/user-select.tsx';
import { Checklist, type ChecklistEntry } from '#web/ui/checklist.tsx';
import { bothLists, trashedWords } from './access-words.ts';
import type { RoleFacts } from './role-facts.ts';
import { unavailableWords } from './unavailable-list.ts';
import type { AccessLists } from './use-access-lists.ts';
import type { TakeOver } from './use-take-over.ts';
import classes from './user-dialog.module.css';
import { ascending, type UserForm } from './user-values.ts';
import { templateFor } from './usual-access.ts';

const NONE: readonly number[] = [];

/** Clients of one name are distinguished by their federal id: access must not go to the wrong one. */
function clientEntries(clients: readonly ClientRow[]): ChecklistEntry[] {
  const times = new Map<string, number>();
  for (const { name } of clients) times.set(name, (times.get(name) ?? 0) + 1);
  return clients.map(({ id, name, federalId }) => ({
    id,
    name: (times.get(name) ?? 0) > 1 ? `${name} (${federalId})` : name,
  }));
}

interface TemplateOfferProps {
  template: NonNullable<ReturnType<typeof templateFor>>;
  everyType: number[];
  form: UserForm;
}

/** What people with the role usually get, at one press. */
function TemplateOffer({ template, everyType, form }: TemplateOfferProps) {
  return (
    <div className={classes.offer} role="status">
      <span>{template.words(everyType.length)}</span>
      <Button
        variant="default"
        size="xs"
        onClick={() => form.setValues({ reportTypeIds: everyType, allClients: template.allClients })}
      >
        {template.label}
      </Button>
    </div>
  );
}

interface AccessFieldsProps {
  opened: boolean;
  user: UserRow | null;
  form: UserForm;
  /** The chosen one, once it is known and as far as it reaches by lists. */
  roleByLists: RoleRow | undefined;
  roleFacts: RoleFacts;
  lists: AccessLists;
  source: TakeOver;
}

export function AccessFields({ opened, user, form, roleByLists, roleFacts, lists, source }: AccessFieldsProps) {
  const me = useSessionUser();
  const { clients, reportTypes, awaiting, inTrash, lookUpFailed } = lists;
  const { roleId, clientIds, reportTypeIds } = form.values;
  const mayHoldAll = roleFacts.mayHoldAllClients(roleId, user);
  const allClients = mayHoldAll && form.values.allClients;
  const clientRows = clients.data?.rows;
  const clientChoices = useMemo(() => clientEntries(clientRows ?? []), [clientRows]);
  const everyClient = useMemo(() => ascending(clientChoices.map(({ id }) => id)), [clientChoices]);
  // Besides oneself and the person who is edited; until the number is known the field keeps its room.
  const people = useQuery({ ...usersQuery({ limit: 1 }), enabled: opened }).data?.total;
  const others = user === null || user.id === me.id ? 1 : 2;
  const hasColleagues = people === undefined || people > others;
  const untouched = clientIds.length === 0 && reportTypeIds.length === 0 && !allClients;
  const everyType = ascending((reportTypes.data?.rows ?? []).map(({ id }) => id));
  const template =
    user === null && roleByLists !== undefined && untouched && everyType.length > 0
      ? templateFor(roleByLists, reachesEveryClient(me) && mayHoldAll)
      : null;
  return (
    <>
      {hasColleagues ? (
        <UserSelect
          label="Same access as..."
          aria-required={false}
          placeholder="Choose a colleague"
          value={source.colleague?.id ?? null}
          knownAs={source.colleague ?? undefined}
          onChange={(_id, colleague) => colleague && void source.takeOver(colleague)}
          // The lists that are on their way would take the place of what was taken over.
          disabled={awaiting}
          description={source.words === null ? undefined : <span role="status">{source.words}</span>}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
      ) : null}
      {template ? <TemplateOffer template={template} everyType={everyType} form={form} /> : null}
      {lookUpFailed ? (
        <Text role="status" size="sm" c="dimmed">
          The latest access lists could not be loaded. Below is what this page knew.
        </Text>
      ) : null}
      {inTrash.length > 0 ? (
        <Text role="status" size="sm">
          {trashedWords(inTrash)}
        </Text>
      ) : null}
      {roleFacts.reachesAll(roleId) ? null : (
        <Text size="sm" c="dimmed">
          {bothLists}
        </Text>
      )}
      {mayHoldAll && (reachesEveryClient(me) || form.values.allClients) ? (
        <Checkbox
          label="All clients, also later ones"
          description="Every client that is added later comes into the list by itself."
          data-path="allClients"
          {...form.getInputProps('allClients', { type: 'checkbox' })}
        />
      ) : null}
      <Checklist
        label="Client Access"
        path="clientIds"
        entries={clientChoices}
        selected={allClients ? everyClient : clientIds}
        first={user?.clientIds ?? NONE}
        onChange={(clientIds) => form.setFieldValue('clientIds', clientIds)}
        searchPlaceholder="Search clients..."
        emptyText={unavailableWords(clients, <NothingToChoose of="clients" />)}
        noun="clients"
        error={form.errors.clientIds as string | undefined}
        disabled={awaiting || allClients}
        loading={clients.isLoading}
      />
      <Checklist
        label="Report Type Access"
        path="reportTypeIds"
        entries={reportTypes.data?.rows ?? []}
        selected={reportTypeIds}
        first={user?.reportTypeIds ?? NONE}
        onChange={(reportTypeIds) => form.setFieldValue('reportTypeIds', reportTypeIds)}
        searchPlaceholder="Search report types..."
        emptyText={unavailableWords(reportTypes, <NothingToChoose of="reportTypes" />)}
        noun="report types"
        error={form.errors.reportTypeIds as string | undefined}
        disabled={awaiting}
        loading={reportTypes.isLoading}
      />
    </>
  );
}
