// The dialog that sets what one role may do and how far it reaches, and says what that means before it is saved.

import { Checkbox, Fieldset, Radio, SimpleGrid, Text } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { capabilityLabels } from '#contract/capability-words.ts';
import { CAPABILITIES, type Capability, can, REACHES, type Reach } from '#contract/policy/actor.ts';
import { PermissionChange, type RolePermissions } from '#contract/roles.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { loadPermissions, useUpdatePermissions } from '#web/data/permissions.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { reasonOf } from '#web/lib/api-fault.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { capabilityFacts, reachFacts } from './capability-facts.ts';
import { effectsOf, type RoleRights } from './permission-effect.ts';
import { permissionDone, permissionFailed } from './permission-messages.ts';
import classes from './role-permissions-dialog.module.css';

interface Values extends Record<string, unknown> {
  capabilities: Capability[];
  reach: Reach;
}

/** The box is level with its name, not with the middle of the text below it. */
const atTop = { body: { alignItems: 'flex-start' } };

const Rights = PermissionChange.pick({ capabilities: true, reach: true });
const rightsOf = ({ capabilities, reach }: RolePermissions): Values => ({ capabilities: [...capabilities], reach });

export function RolePermissionsDialog({ opened, subject: role, close }: Dialog<RolePermissions>) {
  const user = useSessionUser();
  const update = useUpdatePermissions();
  const { form, dirty, submit, conflict } = useDialogForm<Values>({
    opened,
    values: role === null ? { capabilities: [], reach: 'lists' } : rightsOf(role),
    schema: Rights,
    edited: editedRow(role, ({ id }) => loadPermissions(id), rightsOf),
  });
  const { capabilities, reach } = form.values;
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    if (opened) setRefusal(null);
  }, [opened]);

  const choose = (next: Partial<Values>) => {
    // It was said of what stood here before.
    setRefusal(null);
    form.setValues(next);
  };
  const toggle = (capability: Capability, granted: boolean) =>
    // Always in the contract's order, so that undoing a click leaves nothing to save.
    choose({ capabilities: CAPABILITIES.filter((key) => (key === capability ? granted : capabilities.includes(key))) });

  const save = async (change: Values, ifMatch?: string) => {
    if (role === null) return;
    setRefusal(null);
    await update.mutateAsync({ roleId: role.id, ifMatch, ...change });
    toast.success(permissionDone.permissionsUpdated);
    close();
  };
  const refused = (error: unknown, isLeft: boolean) => {
    // Above the buttons and not in a toast, which would cover them.
    if (isLeft) toastFault(error, permissionFailed.updatePermissions);
    else setRefusal(permissionFailed.updatePermissions(reasonOf(error)));
    return {};
  };

  const firstOpen = CAPABILITIES.find((capability) => can(user, capability));
  const busy = update.isPending;
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Permissions of ${role?.name ?? ''}`}
      dirty={dirty}
      busy={busy}
      conflict={conflict}
      onSubmit={submit(save, refused)}
      submitLabel="Save Permissions"
      busyLabel="Saving..."
      canSubmit={dirty}
      refusal={refusal}
      size="xl"
    >
      <Fieldset
        variant="unstyled"
        legend="May do"
        classNames={{ root: classes.choices ?? '', legend: classes.legend ?? '' }}
        disabled={busy}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
          {CAPABILITIES.map((capability) => {
            const { meaning } = capabilityFacts[capability];
            const held = can(user, capability);
            return (
              <Checkbox
                size="md"
                key={capability}
                label={capabilityLabels[capability]}
                description={held ? meaning : `${meaning} You cannot grant this: your own role does not hold it.`}
                checked={capabilities.includes(capability)}
                disabled={!held}
                classNames={{ input: classes.field ?? '' }}
                styles={atTop}
                onChange={(event) => toggle(capability, event.currentTarget.checked)}
                {...(capability === firstOpen ? { 'data-autofocus': true } : {})}
              />
            );
          })}
        </SimpleGrid>
      </Fieldset>
      <ReachField
        role={role}
        reach={reach}
        mayGiveAll={user.reach === 'all'}
        disabled={busy}
        onChange={(next) => choose({ reach: next })}
      />
      {role === null ? null : (
        <Preview role={role} stored={form.getInitialValues()} next={form.values} refused={refusal !== null} />
      )}
    </FormDialog>
  );
}

interface ReachFieldProps {
  role: RolePermissions | null;
  reach: Reach;
  mayGiveAll: boolean;
  disabled: boolean;
  onChange: (reach: Reach) => void;
}

/** How far the role sees; a fact and no choice where the role is built in. */
function ReachField({ role, reach, mayGiveAll, disabled, onChange }: ReachFieldProps) {
  if (role !== null && role.systemKey !== null) {
    return (
      <div>
        <Text className={classes.legend ?? ''}>Sees</Text>
        <Text>{reachFacts[reach].meaning}</Text>
        <Text size="sm" c="dimmed">
          This is fixed for a built-in role.
        </Text>
      </div>
    );
  }
  return (
    <Radio.Group
      label="Sees"
      classNames={{ label: classes.legend ?? '' }}
      value={reach}
      onChange={(next) => onChange(REACHES.find((known) => known === next) ?? reach)}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
        {REACHES.toReversed().map((key) => (
          <Radio
            size="md"
            key={key}
            value={key}
            label={reachFacts[key].label}
            description={
              key === 'all' && !mayGiveAll
                ? `${reachFacts[key].meaning} You cannot grant this: your own role does not reach it.`
                : reachFacts[key].meaning
            }
            classNames={{ radio: classes.field ?? '' }}
            styles={atTop}
            disabled={disabled || (key === 'all' && !mayGiveAll)}
          />
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

interface PreviewProps {
  role: RolePermissions;
  /** Its rights as last read: what somebody else has saved is taken over by "Reload", and is no change of one's own. */
  stored: RoleRights;
  next: RoleRights;
  refused: boolean;
}

/** What saving would do, shown as it is chosen. */
function Preview({ role, stored, next, refused }: PreviewProps) {
  const user = useSessionUser();
  const { capabilities, reach } = stored;
  const effects = effectsOf({ ...role, capabilities: [...capabilities], reach }, next);
  const own = role.id === user.roleId;
  const locksOut = own && capabilities.includes('roles.manage') && !next.capabilities.includes('roles.manage');
  return (
    <section className={classes.preview} aria-labelledby="permission-preview" data-refused={refused || undefined}>
      <Text id="permission-preview" className={classes.legend ?? ''}>
        What this changes
      </Text>
      <div role="status">
        {effects.length === 0 ? (
          <Text c="dimmed">Nothing yet.</Text>
        ) : (
          <ul className={classes.effects}>
            {effects.map(({ kind, sentence }) => (
              <li key={sentence} data-kind={kind}>
                {kind === 'gain' ? <IconPlus size={15} aria-hidden /> : <IconMinus size={15} aria-hidden />}
                <span>{sentence}</span>
              </li>
            ))}
          </ul>
        )}
        {own && effects.length > 0 ? (
          <Text mt={6}>
            {locksOut
              ? 'This is your own role: you will not be able to take this back yourself.'
              : 'This is your own role: the change applies to you too.'}
          </Text>
        ) : null}
      </div>
    </section>
  );
}
