// The settings of the signed-in person.

import { Skeleton } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { OPEN_SESSIONS_MAX } from '#contract/session.ts';
import { devicesQuery, factorsQuery, ownJobsQuery } from '#web/data/account.ts';
import { ownDigestsQuery } from '#web/data/digests.ts';
import { lookWords } from '#web/lib/look-messages.ts';
import { passwordRule } from '#web/lib/password-rule.ts';
import { safeguards } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Appearance } from './appearance.tsx';
import { ChangePassword } from './change-password.tsx';
import { Devices } from './devices.tsx';
import { MailChoices } from './mail-choices.tsx';
import { SettingsSection } from './settings-section.tsx';
import { ShortcutSetting } from './shortcut-setting.tsx';
import { useSecurityEvents } from './use-security-events.ts';

/** Loaded where there are second factors at all. */
const SecondFactor = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactor }));

/** Loaded beside the answer; what is below it waits for both. */
const BackgroundWork = lazy(async () => ({ default: (await import('./background-work.tsx')).BackgroundWork }));

/** The last on the page, and drawn after the lists above it. */
const SecurityEvents = lazy(async () => ({ default: (await import('./security-events.tsx')).SecurityEvents }));

export function AccountSettingsScreen() {
  const { look } = useSessionUser();
  if (look === null) return <OwnSettings />;
  return (
    <>
      <PageHeader title="Account Settings Page" />
      <EmptyState title={lookWords.account(look.as)} icon={<IconEye size={24} stroke={1.5} />} />
    </>
  );
}

/** Beside lazy code within `Suspense`: says that it is drawn, once its data is known too. */
function Drawn({ isKnown, onDrawn }: { isKnown: boolean; onDrawn: (drawn: true) => void }) {
  useEffect(() => {
    if (isKnown) onDrawn(true);
  }, [isKnown, onDrawn]);
  return null;
}

function OwnSettings() {
  const factors = useQuery({ ...factorsQuery(), enabled: safeguards });
  const devices = useQuery(devicesQuery());
  const mails = useQuery(ownDigestsQuery());
  const jobs = useQuery(ownJobsQuery());
  const [jobsDrawn, setJobsDrawn] = useState(false);
  const [factorsDrawn, setFactorsDrawn] = useState(false);
  const events = useSecurityEvents();
  // The height of a list is known with its answer and its code: content below it is rendered after it, so that nothing moves.
  const belowMails = mails.isFetched;
  const belowJobs = belowMails && jobsDrawn;
  const belowFactors = belowJobs && (!safeguards || factorsDrawn);
  const belowDevices = belowFactors && devices.isFetched;
  return (
    <>
      <PageHeader title="Account Settings Page" />
      <SettingsSection
        title="Change password"
        about={`${passwordRule} Changing it signs you out on every other device.`}
      >
        <ChangePassword />
      </SettingsSection>
      <SettingsSection
        title="Appearance"
        about="The theme is kept in this browser, the density of tables in your account."
      >
        <Appearance />
      </SettingsSection>
      <SettingsSection
        title="Keyboard shortcuts"
        about="Turn them off where single keys get in the way of how you type or speak. Kept in this browser."
      >
        <ShortcutSetting />
      </SettingsSection>
      <SettingsSection
        title="Mail"
        about="What you hear of by mail, and how often. Mails name only what you see, and nothing that you did yourself."
      >
        <MailChoices query={mails} />
      </SettingsSection>
      {belowMails ? (
        <SettingsSection
          title="Background work"
          about="What you have ordered that takes a while: how far it is, and what came of it. It is listed for two weeks after its end."
        >
          <Suspense fallback={<Skeleton height={36} aria-hidden />}>
            <BackgroundWork query={jobs} />
            <Drawn isKnown={jobs.isFetched} onDrawn={setJobsDrawn} />
          </Suspense>
        </SettingsSection>
      ) : null}
      {safeguards && belowJobs ? (
        <SettingsSection
          title="Second factor"
          about="One of these is required in addition to your password, so that a password alone opens nothing."
        >
          <Suspense fallback={<Skeleton height={88} aria-hidden />}>
            <SecondFactor query={factors} />
            <Drawn isKnown={factors.isFetched} onDrawn={setFactorsDrawn} />
          </Suspense>
        </SettingsSection>
      ) : null}
      {belowFactors ? (
        <SettingsSection
          title="Signed-in devices"
          about={`Where your account is in use. Sign out whatever you do not recognize, then change your password. At most ${OPEN_SESSIONS_MAX} stay signed in: one more signs out the one used longest ago, on the same device first.`}
        >
          <Devices query={devices} />
        </SettingsSection>
      ) : null}
      {belowDevices ? (
        <SettingsSection
          title="Recent activity on this account"
          about="If something here was not you, change your password and tell your firm."
        >
          <Suspense fallback={<Skeleton height={72} aria-hidden />}>
            <SecurityEvents {...events} />
          </Suspense>
        </SettingsSection>
      ) : null}
    </>
  );
}
