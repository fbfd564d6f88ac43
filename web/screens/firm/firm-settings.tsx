// The page of the firm: its name, logo, colour, address and words, each seen as it will look before it is saved.
import { Button, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { accentFault, isColour, shadesOf } from '#contract/accent.ts';
import { FIRM_ADDRESS_MAX, FIRM_NAME_MAX, WELCOME_MAX } from '#contract/firm-face.ts';
import type { FirmSettings } from '#contract/firm-settings.ts';
import { mayAttempt } from '#contract/policy.ts';
import { firmSettingsQuery } from '#web/data/firm-settings.ts';
import { type FirmFace, guessedSupportEmail } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PhoneInput } from '#web/ui/masked-inputs.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { ColorField } from './color-field.tsx';
import { FirmPreview } from './firm-preview.tsx';
import classes from './firm-settings.module.css';
import { LogoField } from './logo-field.tsx';
import { useFirmDraft, type Word } from './use-firm-draft.ts';
import { useUnsaved } from './use-unsaved.ts';

export function FirmSettingsScreen() {
  const user = useSessionUser();
  const { data, error, isFetching, refetch } = useQuery(firmSettingsQuery());
  const isAdmin = mayAttempt({ ...user, look: null }, 'firm-settings.update');
  return (
    <>
      <PageHeader
        title="Firm"
        subtitle="What people see of your firm: when they sign in, in the portal and in its mails."
      />
      {!isAdmin ? (
        <AccessRefused />
      ) : data !== undefined ? (
        <Form held={data} load={async () => (await refetch({ throwOnError: true })).data ?? data} />
      ) : error !== null ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <Skeleton height={520} radius="md" />
      )}
    </>
  );
}

function Form({ held, load }: { held: FirmSettings; load: () => Promise<FirmSettings> }) {
  const user = useSessionUser();
  const mayUpdate = mayAttempt(user, 'firm-settings.update');
  const form = useRef<HTMLFormElement>(null);
  const resetFile = useRef<() => void>(null);
  const focusField = (name: string) => {
    const field = form.current?.querySelector<HTMLElement>(`[name="${name}"]`);
    field?.scrollIntoView({ block: 'center' });
    field?.focus();
  };
  const draft = useFirmDraft(held, load, focusField);
  const { textOf, type, faults, logo, isChanged, isSaving } = draft;
  const colour = textOf('accent').trim().toLowerCase();
  const colourFault = isColour(colour) ? accentFault(colour) : null;

  useUnsaved(isChanged && !isSaving);
  useAddressRequest('support', () => focusField('supportEmail'));

  const choose = (file: File | null) => {
    resetFile.current?.();
    if (file !== null) void draft.chooseLogo(file);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged || isSaving) return;
    if (colourFault !== null) focusField('accent');
    else draft.save();
  };

  const otherwise = held.supportEmailOfServer ?? guessedSupportEmail;
  const field = (word: Word) => ({
    name: word,
    value: textOf(word),
    readOnly: !mayUpdate,
    error: faults[word],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => type(word, event.currentTarget.value),
  });

  return (
    <div className={classes.columns}>
      <form ref={form} aria-label="Firm" noValidate onSubmit={save} className={classes.form}>
        <Stack gap="md">
          <TextInput
            {...field('name')}
            label="Name"
            description="In the sidebar, in the titles of pages and in mails."
            placeholder={held.nameOfServer}
            maxLength={FIRM_NAME_MAX}
          />
          <LogoField
            logo={logo}
            fault={faults['logo']}
            mayUpdate={mayUpdate}
            resetFile={resetFile}
            onChoose={choose}
            onRemove={draft.removeLogo}
          />
          <ColorField
            field={field('accent')}
            colour={colour}
            fault={colourFault}
            mayUpdate={mayUpdate}
            onType={(text) => type('accent', text)}
          />
          <Textarea
            {...field('welcome')}
            label="Welcome text"
            description="On the sign-in page, above the form."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={WELCOME_MAX.characters}
          />
          <Textarea
            {...field('address')}
            label="Address"
            description="In the foot of mails, and on the page Help."
            autosize
            minRows={2}
            maxRows={FIRM_ADDRESS_MAX.lines}
            maxLength={FIRM_ADDRESS_MAX.characters}
          />
          <PhoneInput {...field('phone')} label="Phone" onChange={(text) => type('phone', text)} />
          <TextInput
            {...field('supportEmail')}
            label="Support address"
            description={`Where "Contact Support" on the sign-in page writes to. Left empty, it is ${otherwise}.`}
            type="email"
          />
          <Overtaken draft={draft} />
          {mayUpdate ? <SaveButtons draft={draft} /> : null}
        </Stack>
      </form>
      <Previews held={held} draft={draft} colour={isColour(colour) && colourFault === null ? colour : null} />
    </div>
  );
}

interface DraftProps {
  draft: ReturnType<typeof useFirmDraft>;
}

/** Somebody else has saved meanwhile. */
function Overtaken({ draft: { overtaken, reload, keepMine } }: DraftProps) {
  const [busy, setBusy] = useState(false);
  if (overtaken === null) return null;
  // A second press would be sent with the version that the first has saved over.
  const once = async (act: () => Promise<unknown>) => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  return (
    <div role="alert" className={classes.overtaken}>
      <Text fw={500}>{overtaken}</Text>
      <Group gap="xs">
        <BusyButton variant="default" size="xs" busy={busy} onClick={() => void once(reload)}>
          Reload
        </BusyButton>
        <BusyButton size="xs" busy={busy} onClick={() => void once(keepMine)}>
          Keep mine
        </BusyButton>
      </Group>
    </div>
  );
}

function SaveButtons({ draft: { isChanged, isSaving, discard } }: DraftProps) {
  return (
    <Group>
      <BusyButton type="submit" busy={isSaving} disabled={!isChanged}>
        {isSaving ? 'Saving...' : 'Save'}
      </BusyButton>
      {isChanged ? (
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
      ) : null}
    </Group>
  );
}

interface PreviewsProps extends DraftProps {
  held: FirmSettings;
  /** Null for one that cannot be used. */
  colour: string | null;
}

/** What is typed, as people will see it. */
function Previews({ held, draft: { textOf, logo }, colour }: PreviewsProps) {
  const face: FirmFace = {
    name: textOf('name').trim() || held.nameOfServer,
    shades: colour === null ? null : shadesOf(colour),
    address: textOf('address').trim(),
    phone: textOf('phone').trim(),
    welcome: textOf('welcome').trim(),
    logo,
  };
  const support = textOf('supportEmail').trim() || (held.supportEmailOfServer ?? '');
  return (
    <section aria-label="Preview" className={classes.previews}>
      <FirmPreview face={face} support={support} scheme="light" />
      <FirmPreview face={face} support={support} scheme="dark" />
    </section>
  );
}
