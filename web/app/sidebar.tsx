// The sidebar: the product's name, where one can go, and the way out.

import { Collapse, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { signOut } from '#web/data/session.ts';
import { productName } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useReportTypeChoice } from '#web/parts/use-report-type-choice.ts';
import { type NavItem, navigationFor } from './navigation.ts';
import { ProductMark } from './product-mark.tsx';
import classes from './sidebar.module.css';

export interface SidebarProps {
  /** Only the icons are seen; their names stay for those who hear them, and show as tooltips. */
  folded?: boolean;
  /** Called on every navigation: the phone's drawer closes then. */
  onNavigate?: () => void;
}

export function Sidebar({ folded = false, onNavigate }: SidebarProps) {
  const user = useSessionUser();
  return (
    <div className={classes.sidebar} data-folded={folded || undefined}>
      <div className={classes.brand}>
        <ProductMark />
        <span className={classes.product} title={productName}>
          {productName}
        </span>
      </div>
      <div className={classes.groups}>
        {navigationFor(user).map((group) => (
          <div key={group.label ?? 'home'} className={classes.group}>
            {group.label ? <p className={classes.groupLabel}>{group.label}</p> : null}
            <ul className={classes.list}>
              {group.items.map((item) => (
                <li key={item.to}>
                  {item.reportTypes && !folded ? (
                    <ReportsItem item={item} onNavigate={onNavigate} />
                  ) : (
                    <NavLink item={item} folded={folded} onNavigate={onNavigate} />
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        <Tooltip label="Logout" position="right" disabled={!folded}>
          <UnstyledButton className={classes.link} onClick={signOut}>
            <IconLogout size={18} stroke={1.6} aria-hidden />
            <span className={classes.label}>Logout</span>
          </UnstyledButton>
        </Tooltip>
      </div>
    </div>
  );
}

interface ItemProps {
  item: NavItem;
  folded?: boolean;
  onNavigate: (() => void) | undefined;
}

const isBelonging = ({ alsoAt }: NavItem, path: string) => alsoAt !== undefined && path.startsWith(alsoAt);

function NavLink({ item, folded = false, onNavigate }: ItemProps) {
  const Icon = item.icon;
  const belonging = useRouterState({ select: (state) => isBelonging(item, state.location.pathname) });
  return (
    <Tooltip label={item.label} position="right" disabled={!folded}>
      <Link
        to={item.to}
        className={classes.link}
        activeOptions={{ exact: item.to === '/', includeSearch: false }}
        {...(belonging ? { 'aria-current': 'page' as const } : {})}
        onClick={() => onNavigate?.()}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className={classes.label}>{item.label}</span>
      </Link>
    </Tooltip>
  );
}

/** Reports, with the accessible report types below it; the one last chosen is marked. */
function ReportsItem({ item, onNavigate }: Omit<ItemProps, 'folded'>) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const known = useQuery(allReportTypesQuery()).data?.rows;
  const reportTypes = known ?? [];
  const [toggled, setToggled] = useState<boolean | null>(null);
  // Types that arrive late move nothing that is already visible: they unfold on request, or with the next page.
  const [lateOn, setLateOn] = useState(known === undefined ? path : null);
  if (lateOn !== null && lateOn !== path) setLateOn(null);
  const opened = toggled ?? ((path.startsWith(item.to) || isBelonging(item, path)) && lateOn === null);
  const [choice, setChoice] = useReportTypeChoice();
  const navigate = useNavigate();
  const listId = useId();

  return (
    <>
      <div className={classes.withToggle}>
        <NavLink item={item} onNavigate={onNavigate} />
        {reportTypes.length > 0 ? (
          <UnstyledButton
            className={classes.toggle}
            aria-label="Report types"
            aria-expanded={opened}
            aria-controls={listId}
            onClick={() => setToggled(!opened)}
          >
            <IconChevronRight size={15} aria-hidden className={classes.chevron} />
          </UnstyledButton>
        ) : null}
      </div>
      <Collapse expanded={opened && reportTypes.length > 0} id={listId}>
        <ul className={classes.submenu} aria-label="Report types">
          {reportTypes.map((reportType) => (
            <li key={reportType.id}>
              <UnstyledButton
                className={classes.sublink}
                aria-current={choice === reportType.id ? 'true' : undefined}
                onClick={() => {
                  setChoice(reportType.id);
                  onNavigate?.();
                  // On the list itself its filters stay; the page does not, because another type has other pages.
                  const search = path === item.to ? (before: object) => ({ ...before, page: undefined }) : {};
                  void navigate({ to: item.to, search: search as never });
                }}
              >
                {reportType.name}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </Collapse>
    </>
  );
}
