// The page of the firm: its name, logo, colour, address and words, each seen as it will look before it is saved.
import { Button, FileButton, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { accentFault, isColour, shadesOf } from '#contract/accent.ts';
import { FIRM_ADDRESS_MAX, FIRM_NAME_MAX, WELCOME_MAX } from '#contract/firm-face.ts';
import type { FirmSettings } from '#contract/firm-settings.ts';
import { mayAttempt } from '#contract/policy.ts';
import { PRODUCT_SHADES } from '#contract/shades.ts';
import { firmSettingsQuery, shownLogo, useUpdateFirmSettings } from '#web/data/firm-settings.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api.ts';
import { firmDone, firmFailed } from '#web/lib/firm-messages.ts';
import { type FirmFace, guessedSupportEmail } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { FirmMark } from '#web/parts/firm-mark.tsx';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PhoneInput } from '#web/ui/masked-inputs.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import type { DrawnLogo } from './draw-logo.ts';
import { FirmPreview } from './firm-preview.tsx';
import classes from './firm-settings.module.css';

const WORDS = ['name', 'accent', 'address', 'phone', 'welcome', 'supportEmail'] as const;
type Word = (typeof WORDS)[number];

/** What was typed over a version of the settings; `logo` is absent as long as no other one was chosen. */
interface Draft {
  readonly version: string;
  readonly words: Partial<Record<Word, string>>;
  readonly logo?: DrawnLogo | null;
}

type Faults = Readonly<Record<string, string | undefined>>;

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
  const update = useUpdateFirmSettings();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const [overtaken, setOvertaken] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const resetFile = useRef<() => void>(null);

  const textOf = (word: Word) => draft?.words[word] ?? held[word];
  const changed = WORDS.filter((word) => textOf(word).trim() !== held[word]);
  const isChanged = changed.length > 0 || draft?.logo !== undefined;
  const logo = draft?.logo === undefined ? shownLogo(held.logo) : draft.logo;
  const colour = textOf('accent').trim().toLowerCase();
  const colourFault = isColour(colour) ? accentFault(colour) : null;
  const near = colourFault?.match(/#[0-9a-f]{6}/)?.[0];

  useUnsaved(isChanged && !update.isPending);
  useAddressRequest('support', () => focusField('supportEmail'));

  const focusField = (name: string) => {
    const field = form.current?.querySelector<HTMLElement>(`[name="${name}"]`);
    field?.scrollIntoView({ block: 'center' });
    field?.focus();
  };
  const change = (more: Partial<Omit<Draft, 'version'>>) =>
    setDraft((before) => ({ version: before?.version ?? held.version, words: {}, ...before, ...more }));
  const type = (word: Word, text: string) => {
    change({ words: { ...draft?.words, [word]: text } });
    setFaults((before) => ({ ...before, [word]: undefined }));
  };
  const choose = async (file: File | null) => {
    resetFile.current?.();
    if (file === null) return;
    try {
      const { drawLogo } = await import('./draw-logo.ts');
      change({ logo: await drawLogo(file) });
      setFaults((before) => ({ ...before, logo: undefined }));
    } catch (error) {
      setFaults((before) => ({ ...before, logo: (error as Error).message }));
    }
  };

  const send = async (version: string) => {
    const words = Object.fromEntries(changed.map((word) => [word, textOf(word)]));
    const sent = draft?.logo === undefined ? {} : { logo: draft.logo?.base64 ?? null };
    try {
      await update.mutateAsync({ ...words, ...sent, ifMatch: version });
      setDraft(null);
      setOvertaken(null);
      toast.success(firmDone.saved);
    } catch (error) {
      if (error instanceof ApiFault && error.code === 'changed_meanwhile') {
        setOvertaken(error.message);
        return;
      }
      toastFault(error, firmFailed.save);
      const found = fieldFaultsOf(error);
      setFaults(found);
      const first = [...WORDS].find((word) => found[word] !== undefined);
      if (first !== undefined) focusField(first);
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged || update.isPending) return;
    if (colourFault !== null) focusField('accent');
    else void send(draft?.version ?? held.version);
  };
  const reload = async () => {
    await load().then(
      () => setDraft(null),
      (error: unknown) => toastFault(error, firmFailed.save),
    );
    setOvertaken(null);
  };
  const keepMine = async () => {
    const now = await load().catch((error: unknown) => toastFault(error, firmFailed.save));
    if (now) await send(now.version);
  };

  const face: FirmFace = {
    name: textOf('name').trim() || held.nameOfServer,
    shades: isColour(colour) && colourFault === null ? shadesOf(colour) : null,
    address: textOf('address').trim(),
    phone: textOf('phone').trim(),
    welcome: textOf('welcome').trim(),
    logo,
  };
  const otherwise = held.supportEmailOfServer ?? guessedSupportEmail;
  const support = textOf('supportEmail').trim() || (held.supportEmailOfServer ?? '');
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
          <div>
            <Text component="span" size="sm" fw={500} id="firm-logo">
              Logo
            </Text>
            <Text size="xs" c="dimmed" mb={6}>
              PNG, JPEG, WebP or SVG. It is made to fit into 512 x 128 pixels, and is not sent in mails.
            </Text>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as one */}
            <div role="group" aria-labelledby="firm-logo" className={classes.logo}>
              {logo === null ? <Text c="dimmed">No logo</Text> : <FirmMark logo={logo} height={36} widest={108} />}
              {mayUpdate ? (
                <Group gap="xs" ml="auto">
                  <FileButton
                    resetRef={resetFile}
                    accept="image/png,image/jpeg,image/webp,image/svg+xml"
                    onChange={(file) => void choose(file)}
                  >
                    {(props) => (
                      <Button variant="default" size="xs" {...props}>
                        Choose Logo
                      </Button>
                    )}
                  </FileButton>
                  {logo === null ? null : (
                    <Button variant="default" size="xs" onClick={() => change({ logo: null })}>
                      Remove Logo
                    </Button>
                  )}
                </Group>
              ) : null}
            </div>
            {faults['logo'] ? (
              <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
                {faults['logo']}
              </Text>
            ) : null}
          </div>
          <div>
            <TextInput
              {...field('accent')}
              label="Color"
              description="Of buttons, links and marks. It is made darker or lighter where text needs that."
              placeholder={PRODUCT_SHADES.ten[7]}
              error={faults['accent'] ?? colourFault}
              leftSection={
                <input
                  type="color"
                  aria-label="Pick a color"
                  className={classes.swatch}
                  disabled={!mayUpdate}
                  value={isColour(colour) ? colour : PRODUCT_SHADES.ten[7]}
                  onChange={(event) => type('accent', event.currentTarget.value)}
                />
              }
              leftSectionWidth={44}
              leftSectionPointerEvents="all"
            />
            {near === undefined ? null : (
              <Button variant="default" size="xs" mt={6} onClick={() => type('accent', near)}>
                Use {near}
              </Button>
            )}
          </div>
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
          {overtaken === null ? null : (
            <div role="alert" className={classes.overtaken}>
              <Text fw={500}>{overtaken}</Text>
              <Group gap="xs">
                <Button variant="default" size="xs" onClick={() => void reload()}>
                  Reload
                </Button>
                <Button size="xs" onClick={() => void keepMine()}>
                  Keep mine
                </Button>
              </Group>
            </div>
          )}
          {mayUpdate ? (
            <Group>
              <BusyButton type="submit" busy={update.isPending} disabled={!isChanged}>
                {update.isPending ? 'Saving...' : 'Save'}
              </BusyButton>
              {isChanged ? (
                <Button
                  variant="default"
                  onClick={() => {
                    setDraft(null);
                    setFaults({});
                    setOvertaken(null);
                  }}
                >
                  Discard
                </Button>
              ) : null}
            </Group>
          ) : null}
        </Stack>
      </form>
      <section aria-label="Preview" className={classes.previews}>
        <FirmPreview face={face} support={support} scheme="light" />
        <FirmPreview face={face} support={support} scheme="dark" />
      </section>
    </div>
  );
}

/** Asks before the page is left with something unsaved. */
function useUnsaved(isUnsaved: boolean): void {
  const confirm = useConfirm();
  const navigate = useNavigate();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  const latest = useRef(blocker);
  latest.current = blocker;
  const isAsked = blocker.status === 'blocked';
  useEffect(() => {
    const { reset, next } = latest.current;
    if (!isAsked || next === undefined) return;
    // Where it is not answered, the page stays.
    reset?.();
    confirm({
      title: 'Discard unsaved changes?',
      message: 'What you have changed here is not saved yet.',
      confirmLabel: 'Discard',
      busyLabel: 'Discarding...',
      onConfirm: () => navigate({ to: next.pathname, search: next.search as never, ignoreBlocker: true }),
    });
  }, [isAsked, confirm, navigate]);
}
