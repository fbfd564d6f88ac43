// The dialog that creates or changes a client.

import { NumberInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { ClientInput, type ClientRow } from '#contract/clients.ts';
import { loadClient, useCreateClient, useUpdateClient } from '#web/data/clients.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { today } from '#web/lib/format.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { FormDialog, SAVE_AND_ADD_ANOTHER } from '#web/ui/form-dialog.tsx';
import { FederalIdInput, PhoneInput } from '#web/ui/masked-inputs.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { type DialogForm, useDialogForm } from '#web/ui/use-dialog-form.ts';
import { clientDone, clientFailed } from './client-messages.ts';

type Values = Omit<Required<ClientInput>, 'employeeCount'> & {
  /** Stays text while it is not a number that JavaScript holds exactly. */
  employeeCount: number | string;
};

function valuesOf(client: ClientRow | null): Values {
  if (client === null) {
    return {
      name: '',
      address: '',
      phone: '',
      federalId: '',
      stateId: '',
      email: '',
      employeeCount: 0,
      startDate: today(),
      otherNames: [],
    };
  }
  const { name, address, phone, federalId, stateId, email, employeeCount, startDate, otherNames } = client;
  return { name, address, phone, federalId, stateId, email, employeeCount, startDate, otherNames };
}

const NAMES_SEPARATOR = ';';

/** What is wrong with the other names: with the list, or with one of them. */
const nameFaults = (errors: Readonly<Record<string, ReactNode>>) =>
  Object.keys(errors).filter((field) => /^otherNames(\.|$)/.test(field));

export function ClientDialog({ opened, subject: client, close }: Dialog<ClientRow>) {
  const creation = useCreateClient();
  const change = useUpdateClient();
  const { form, dirty, submit, conflict, restart } = useDialogForm<Values>({
    opened,
    values: valuesOf(client),
    schema: ClientInput,
    edited: editedRow(client, ({ id }) => loadClient(id), valuesOf),
  });

  /** A name that is typed and not entered yet is work too. */
  const [typedName, setTypedName] = useState('');
  useLayoutEffect(() => {
    if (opened) setTypedName('');
  }, [opened]);

  const save = (then: () => void) => async (values: Values, ifMatch?: string) => {
    const body = ClientInput.parse(values);
    if (client === null) await creation.mutateAsync(body);
    else await change.mutateAsync({ id: client.id, ifMatch, ...body });
    toast.success(client === null ? clientDone.clientCreated : clientDone.clientUpdated);
    then();
  };

  const refused = (error: unknown) => {
    toastFault(error, client === null ? clientFailed.createClient : clientFailed.updateClient);
    return fieldFaultsOf(error);
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={client === null ? 'Add New Client' : 'Edit Client'}
      dirty={dirty || typedName.trim() !== ''}
      busy={creation.isPending || change.isPending}
      conflict={conflict}
      onSubmit={submit(save(close), refused)}
      another={
        client === null
          ? {
              label: SAVE_AND_ADD_ANOTHER,
              go: submit(
                save(() => restart(valuesOf(null))),
                refused,
              ),
            }
          : undefined
      }
      submitLabel="Save Client"
      busyLabel="Saving..."
    >
      <ClientFields form={form} typedName={typedName} onTypedName={setTypedName} />
    </FormDialog>
  );
}

interface ClientFieldsProps {
  form: DialogForm<Values>['form'];
  /** Of another name, before it is entered. */
  typedName: string;
  onTypedName: (name: string) => void;
}

function ClientFields({ form, typedName, onTypedName }: ClientFieldsProps) {
  const [firstFault] = nameFaults(form.errors);
  const setNames = (names: readonly string[]) => {
    form.setFieldValue(
      'otherNames',
      names
        .flatMap((name) => name.split(NAMES_SEPARATOR))
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    );
    for (const field of nameFaults(form.errors)) form.clearFieldError(field);
  };
  return (
    <>
      <TextInput
        label="Client Name"
        placeholder="Company name"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label="Address" placeholder="Full address" autoComplete="off" {...form.getInputProps('address')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <PhoneInput label="Phone Number" {...form.getInputProps('phone')} value={form.values.phone} />
        <FederalIdInput label="Federal ID" {...form.getInputProps('federalId')} value={form.values.federalId} />
        <TextInput
          label="State ID"
          placeholder="State ID number"
          autoComplete="off"
          {...form.getInputProps('stateId')}
        />
        <TextInput label="Email" type="email" inputMode="email" autoComplete="off" {...form.getInputProps('email')} />
        <NumberInput
          label="Number of Employees"
          // Checked by the contract, in its words, rather than bent into range while typing.
          clampBehavior="none"
          min={0}
          allowNegative
          {...form.getInputProps('employeeCount')}
        />
        <DateField label="Start Date" {...form.getInputProps('startDate')} value={form.values.startDate} />
      </SimpleGrid>
      <TagsInput
        label="Other Names"
        description="As they stand in file names: a DBA, a short name. Enter or a semicolon ends a name."
        splitChars={[NAMES_SEPARATOR]}
        // There is no list to open, which the first Escape would close.
        openOnFocus={false}
        searchValue={typedName}
        onSearchChange={onTypedName}
        styles={{ inputField: { minHeight: '1.5rem' } }}
        {...form.getInputProps('otherNames')}
        onChange={setNames}
        error={firstFault === undefined ? undefined : form.errors[firstFault]}
      />
    </>
  );
}
