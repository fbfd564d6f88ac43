// The matrix of roles and capabilities; on a phone one card for each role.

import { Box, Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconMinus, IconPencil } from '@tabler/icons-react';
import { capabilityLabels } from '#contract/capability-words.ts';
import { CAPABILITIES } from '#contract/policy/actor.ts';
import { may, mayAttempt } from '#contract/policy.ts';
import type { RolePermissions } from '#contract/roles.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { capabilityFacts, reachFacts } from './capability-facts.ts';
import { userCount } from './permission-effect.ts';
import classes from './permission-matrix.module.css';

const GREY_COLUMNS = ['first', 'second', 'third', 'fourth'] as const;

/** With fewer roles than this, columns are next to the labels and not at the far edge. */
const FEW = 3;

export interface PermissionMatrixProps {
  /** Undefined while awaited. */
  roles: readonly RolePermissions[] | undefined;
  onEdit: (role: RolePermissions) => void;
}

export function PermissionMatrix(props: PermissionMatrixProps) {
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return narrow ? <Cards {...props} /> : <Matrix {...props} />;
}

/** The text below a role's name: '2 users', 'Built-in, 1 user', and without the number where it is unknown. */
function factOf({ systemKey, users }: RolePermissions): string {
  const kind = systemKey === null ? 'Custom' : 'Built-in';
  if (users === null) return kind;
  return systemKey === null ? userCount(users) : `${kind}, ${userCount(users)}`;
}

function EditButton({ role, onEdit }: { role: RolePermissions; onEdit: PermissionMatrixProps['onEdit'] }) {
  const user = useSessionUser();
  if (!mayAttempt(user, 'permissions.update')) return null;
  if (role.systemKey === 'admin') return <span className={classes.fixed}>Fixed</span>;
  if (!may(user, 'permissions.update', { role, change: role })) {
    return <span className={classes.fixed}>Beyond your own rights</span>;
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={classes.edit ?? ''}
      leftSection={<IconPencil size={14} aria-hidden />}
      aria-label={`Edit ${role.name}`}
      onClick={() => onEdit(role)}
    >
      Edit
    </Button>
  );
}

function Matrix({ roles, onEdit }: PermissionMatrixProps) {
  const user = useSessionUser();
  return (
    // It scrolls sideways where a firm has many roles; the keyboard scrolls it too.
    <Box
      className={classes.frame ?? ''}
      role="region"
      aria-label="Role permissions"
      tabIndex={0}
      data-few={(roles !== undefined && roles.length < FEW) || undefined}
    >
      <table
        className={classes.matrix}
        aria-busy={roles === undefined}
        data-editable={mayAttempt(user, 'permissions.update') || undefined}
      >
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles
              ? roles.map((role) => (
                  <th key={role.id} scope="col">
                    <span className={classes.role} title={role.name}>
                      {role.name}
                    </span>
                    <span className={classes.fact}>{factOf(role)}</span>
                    <EditButton role={role} onEdit={onEdit} />
                  </th>
                ))
              : GREY_COLUMNS.map((column) => (
                  <td key={column} aria-hidden>
                    <Skeleton height={12} width="70%" mx="auto" />
                  </td>
                ))}
          </tr>
        </thead>
        <tbody>
          {CAPABILITIES.map((capability) => (
            <tr key={capability}>
              <th scope="row">
                <span className={classes.label}>{capabilityLabels[capability]}</span>
                <span className={classes.meaning}>{capabilityFacts[capability].meaning}</span>
              </th>
              {roles
                ? roles.map((role) => (
                    <td key={role.id}>
                      <Mark granted={role.capabilities.includes(capability)} />
                    </td>
                  ))
                : GREY_COLUMNS.map((column) => (
                    <td key={column} aria-hidden>
                      <Skeleton height={16} width={16} mx="auto" />
                    </td>
                  ))}
            </tr>
          ))}
          <tr>
            <th scope="row">
              <span className={classes.label}>Sees</span>
              <span className={classes.meaning}>
                Every client and report type, or those in each user&apos;s access lists.
              </span>
            </th>
            {roles
              ? roles.map((role) => (
                  <td key={role.id} title={reachFacts[role.reach].meaning}>
                    {reachFacts[role.reach].label}
                  </td>
                ))
              : GREY_COLUMNS.map((column) => (
                  <td key={column} aria-hidden>
                    <Skeleton height={12} width="60%" mx="auto" />
                  </td>
                ))}
          </tr>
        </tbody>
      </table>
    </Box>
  );
}

function Mark({ granted }: { granted: boolean }) {
  const Icon = granted ? IconCheck : IconMinus;
  return (
    <span className={classes.mark} data-granted={granted || undefined}>
      <Icon size={granted ? 18 : 14} stroke={granted ? 2.2 : 1.6} aria-hidden />
      <VisuallyHidden>{granted ? 'Yes' : 'No'}</VisuallyHidden>
    </span>
  );
}

function Cards({ roles, onEdit }: PermissionMatrixProps) {
  if (!roles) {
    return (
      <div className={classes.cards} role="status" aria-label="Loading permissions...">
        {GREY_COLUMNS.map((card) => (
          <Skeleton key={card} height={132} aria-hidden />
        ))}
      </div>
    );
  }
  return (
    <ul className={classes.cards} aria-label="Role permissions">
      {roles.map((role) => (
        <li key={role.id} className={classes.card}>
          <div className={classes.cardHead}>
            <div>
              <span className={classes.role}>{role.name}</span>
              <span className={classes.fact}>{factOf(role)}</span>
            </div>
            <EditButton role={role} onEdit={onEdit} />
          </div>
          {role.capabilities.length === 0 ? (
            <p className={classes.none}>No permissions yet.</p>
          ) : (
            <ul className={classes.granted} aria-label={`${role.name} may`}>
              {role.capabilities.map((capability) => (
                <li key={capability}>
                  <IconCheck size={16} stroke={2.2} aria-hidden />
                  {capabilityLabels[capability]}
                </li>
              ))}
            </ul>
          )}
          <p className={classes.sees}>Sees: {reachFacts[role.reach].meaning}</p>
        </li>
      ))}
    </ul>
  );
}
