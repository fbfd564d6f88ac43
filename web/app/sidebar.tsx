// The sidebar: the product's name, where one can go, and the way out.

import { Collapse, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { NEW_FILES_COUNTED_MAX } from '#contract/file-kinds.ts';
import type { NewFiles } from '#contract/new-files.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { newFilesQuery } from '#web/data/news.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { signOut } from '#web/data/session.ts';
import { usePageFacts } from '#web/lib/page-facts.ts';
import { useFirmFace } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { keepsChosenClient, useClientOfPage } from '#web/parts/clients/chosen-client.ts';
import { FirmMark } from '#web/parts/firm/firm-mark.tsx';
import { useReportTypeChoice } from '#web/parts/report-types/use-report-type-choice.ts';
import { entryOf, type NavItem, navigationFor } from './navigation/navigation.ts';
import classes from './sidebar.module.css';

export interface SidebarProps {
  /** Only the icons are seen; their names stay for those who hear them, and show as tooltips. */
  folded?: boolean;
  /** Called on every navigation: the phone's drawer closes then. */
  onNavigate?: () => void;
}

export function Sidebar({ folded = false, onNavigate }: SidebarProps) {
  const user = useSessionUser();
  const { name, logo } = useFirmFace();
  const groups = useRef<HTMLDivElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { section } = usePageFacts();
  const shown = navigationFor(user);
  const items = shown.flatMap((group) => group.items);
  const current = entryOf(items, path, section);
  // Of a page below its address the page itself may say that it belongs elsewhere.
  const byAddress = entryOf(items, path, null);
  // Where the entries are more than fit, the one of this page is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page marks another entry
  useLayoutEffect(() => {
    if (groups.current) bringIntoSight(groups.current);
  }, [path, section]);
  return (
    <div className={classes.sidebar} data-folded={folded || undefined}>
      <div className={classes.brand}>
        <FirmMark logo={logo} height={logo === null ? 24 : 28} widest={folded ? 36 : 72} />
        <span className={classes.product} title={name}>
          {name}
        </span>
      </div>
      <div className={classes.groups} ref={groups}>
        {shown.map((group) => (
          <div key={group.label ?? 'home'} className={classes.group}>
            {group.label ? <p className={classes.groupLabel}>{group.label}</p> : null}
            <ul className={classes.list}>
              {group.items.map((item) => (
                <li key={item.to}>
                  {item.reportTypes && !folded ? (
                    <ReportsItem
                      item={item}
                      isCurrent={item.to === current}
                      isBelow={item.to === byAddress && item.to !== path}
                      onNavigate={onNavigate}
                    />
                  ) : (
                    <NavLink item={item} isCurrent={item.to === current} folded={folded} onNavigate={onNavigate} />
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

/** In pixels: what is seen of the list around the entry. */
const AROUND = 8;

/** Scrolls the list alone. `scrollIntoView` would also move where Tab goes on from, past the way to the content. */
function bringIntoSight(list: HTMLElement): void {
  const entry = list.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (entry === undefined) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (entry.top < top) list.scrollTop -= top - entry.top + AROUND;
  else if (entry.bottom > bottom) list.scrollTop += entry.bottom - bottom + AROUND;
}

interface ItemProps {
  item: NavItem;
  /** Whether the page in view belongs to it. */
  isCurrent: boolean;
  folded?: boolean;
  onNavigate: (() => void) | undefined;
}

function NavLink({ item, isCurrent, folded = false, onNavigate }: ItemProps) {
  const Icon = item.icon;
  const { reports, documents } = useNewFiles();
  const ofItem = item.reportTypes ? reports.reduce((sum, type) => sum + type.count, 0) : item.documents ? documents : 0;
  const count = folded ? 0 : ofItem;
  const countId = useId();
  return (
    <Tooltip label={item.label} position="right" disabled={!folded}>
      <Link
        to={item.to}
        className={classes.link}
        activeOptions={{ exact: true, includeSearch: false }}
        {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
        aria-describedby={count > 0 ? countId : undefined}
        data-toggles={item.reportTypes}
        onClick={() => onNavigate?.()}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className={classes.label}>{item.label}</span>
        <NewCount count={count} id={countId} ofDocuments={item.documents} />
      </Link>
    </Tooltip>
  );
}

/** How many files are new to the person. To staff no report ever is. */
function NewCount({
  count,
  id,
  ofDocuments = false,
}: {
  count: number;
  id: string;
  ofDocuments?: boolean | undefined;
}) {
  if (!isClientUser(useSessionUser()) && !ofDocuments) return null;
  // Its room is there before the count is known, so that no name wraps when it comes.
  if (count === 0) return <span className={classes.count} />;
  const shown = count < NEW_FILES_COUNTED_MAX ? String(count) : `${NEW_FILES_COUNTED_MAX - 1}+`;
  return (
    <>
      <span className={classes.count} aria-hidden>
        {shown}
      </span>
      {/* Said after the name of the entry, which stays as it is. */}
      <span id={id} hidden>{`${shown} new`}</span>
    </>
  );
}

const NOTHING_NEW: NewFiles = { reports: [], documents: 0, unopenedByStaff: 0 };

function useNewFiles(): NewFiles {
  const user = useSessionUser();
  // As many as the lists show: they follow the chosen company.
  const [chosen] = useClientOfPage();
  const clientId = keepsChosenClient(user) ? chosen : null;
  const counts = useQuery(newFilesQuery(clientId)).data;
  return counts ?? NOTHING_NEW;
}

/** Reports, with the accessible report types below it; the one last chosen is marked. */
function ReportsItem({ item, isCurrent, isBelow, onNavigate }: Omit<ItemProps, 'folded'> & { isBelow: boolean }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const known = useQuery(allReportTypesQuery()).data?.rows;
  const reportTypes = known ?? [];
  const [toggled, setToggled] = useState<boolean | null>(null);
  // Types that arrive late move nothing that is already visible: they unfold on request, or with the next page.
  const [lateOn, setLateOn] = useState(known === undefined ? path : null);
  if (lateOn !== null && lateOn !== path) setLateOn(null);
  const unfolds = isBelow || (path === item.to && item.reportTypes === 'below');
  const opened = toggled ?? (unfolds && lateOn === null);
  const [choice, setChoice] = useReportTypeChoice();
  const named = useRouterState({ select: ({ location }) => location.search.reportType });
  const navigate = useNavigate();
  const listId = useId();
  const { reports } = useNewFiles();
  const newOf = (id: number) => reports.find(({ reportTypeId }) => reportTypeId === id)?.count ?? 0;

  return (
    <>
      <div className={classes.withToggle}>
        <NavLink item={item} isCurrent={isCurrent} onNavigate={onNavigate} />
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
                aria-describedby={newOf(reportType.id) > 0 ? `${listId}-${reportType.id}` : undefined}
                aria-current={(named ?? String(choice)) === String(reportType.id) ? 'true' : undefined}
                onClick={() => {
                  setChoice(reportType.id);
                  onNavigate?.();
                  // On the list itself its filters stay; the page does not, because another type has other pages.
                  const chosen = { reportType: String(reportType.id) };
                  const search =
                    path === item.to ? (before: object) => ({ ...before, ...chosen, page: undefined }) : chosen;
                  void navigate({ to: item.to, search });
                }}
              >
                <span className={classes.label}>{reportType.name}</span>
                <NewCount count={newOf(reportType.id)} id={`${listId}-${reportType.id}`} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </Collapse>
    </>
  );
}
