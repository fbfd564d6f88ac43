// A password or a link for somebody else: made here, shown, and copied by whoever hands it over. It is nowhere but in the open dialog.
import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { type ComponentPropsWithoutRef, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { formatDateTime } from '#web/lib/format.ts';
import { generatedPassword } from '#web/lib/generated-password.ts';
import { mailIsOn } from '#web/lib/product.ts';
import classes from './password-for-user.module.css';

const NOT_COPIED = 'The browser did not allow copying. The text is selected: please copy it yourself.';

/** Copies what stands in `field`, and says so beside the button; where the browser does not let it, the text is left selected. */
function CopyButton(props: { field: RefObject<HTMLInputElement | null>; autoFocus?: boolean; onCopied?: () => void }) {
  const { field, autoFocus, onCopied } = props;
  const [said, setSaid] = useState<'copied' | 'selected' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (autoFocus) button.current?.focus();
  }, [autoFocus]);
  const copy = async () => {
    setSaid(null);
    try {
      await navigator.clipboard.writeText(field.current?.value ?? '');
      setSaid('copied');
      onCopied?.();
    } catch {
      // Forbidden, or not there without HTTPS.
      field.current?.focus();
      field.current?.select();
      setSaid('selected');
    }
  };
  return (
    <>
      <Button
        ref={button}
        variant="default"
        size="xs"
        leftSection={said === 'copied' ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        onClick={() => void copy()}
      >
        Copy
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {said === 'copied' ? 'Copied' : said === 'selected' ? NOT_COPIED : ''}
      </Text>
    </>
  );
}

export interface PasswordForUserProps extends Omit<ComponentPropsWithoutRef<typeof PasswordInput>, 'ref'> {
  value: string;
  /** The password that was made here last, whether or not it still stands in the field. */
  generated: string | null;
  onGenerate: (password: string) => void;
  onCopied: (password: string) => void;
}

export function PasswordForUser({ generated, onGenerate, onCopied, disabled = false, ...field }: PasswordForUserProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isVisible, { set: setVisible }] = useDisclosure(false);
  const isGenerated = generated !== null && field.value === generated;
  return (
    <div>
      <PasswordInput
        ref={input}
        autoComplete="new-password"
        visible={isVisible}
        onVisibilityChange={setVisible}
        disabled={disabled}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...field}
      />
      {disabled ? null : (
        <Group gap="xs" mt={6}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconKey size={15} aria-hidden />}
            onClick={() => {
              onGenerate(generatedPassword());
              setVisible(true);
            }}
          >
            Generate
          </Button>
          {isGenerated ? <CopyButton key={generated} field={input} onCopied={() => onCopied(field.value)} /> : null}
        </Group>
      )}
    </div>
  );
}

/** Somebody who was saved with a password or a link that was made here. */
export interface GivenSecret {
  readonly key: number;
  readonly fullName: string;
  readonly username: string;
  /** A password, or the whole link. */
  readonly secret: string;
  /** Until when the link is good; null for a password. */
  readonly until: string | null;
  /** Where the person is written to; empty where that is not known. */
  readonly email: string;
}

function Given(props: { given: GivenSecret; autoFocus: boolean; onCopied: (secret: string) => void }) {
  const { given, autoFocus, onCopied } = props;
  const input = useRef<HTMLInputElement>(null);
  const who = `${given.fullName} (${given.username})`;
  return (
    <li>
      <TextInput
        ref={input}
        label={given.until === null ? `Password of ${who}` : `Invitation link of ${who}`}
        description={given.until === null ? undefined : linkWords(given, given.until)}
        aria-required={false}
        readOnly
        value={given.secret}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onCopy={() => onCopied(given.secret)}
        classNames={{ input: classes.password ?? '' }}
      />
      <Group gap="xs" mt={6}>
        <CopyButton field={input} autoFocus={autoFocus} onCopied={() => onCopied(given.secret)} />
      </Group>
    </li>
  );
}

/** Whether the link is mailed, for whoever would rely on it. */
function mailWords(email: string): string {
  if (email === '') return '';
  return mailIsOn ? ` It is on its way to ${email} too.` : ` It is not mailed to ${email}: mail is not set up.`;
}

/** Whom to send it to, and until when. */
const linkWords = ({ fullName, email }: GivenSecret, until: string) =>
  `For ${fullName} alone: whoever opens it first chooses the password. It works once, until ${formatDateTime(until)}.${mailWords(email)}`;

/** What was saved, to be copied for as long as the dialog is open. `focus`: the last one is what comes next. */
export function GivenSecrets(props: {
  given: readonly GivenSecret[];
  focus: boolean;
  onCopied: (secret: string) => void;
}): ReactNode {
  const { given, focus, onCopied } = props;
  if (given.length === 0) return null;
  const onlyLinks = given.every(({ until }) => until !== null);
  return (
    <section className={classes.given} aria-label={onlyLinks ? 'Invitation links' : 'New passwords'}>
      <Text size="sm">Hand it over now: once this dialog is closed, it is shown to nobody again.</Text>
      <ul className={classes.list}>
        {given.map((each, nth) => (
          <Given key={each.key} given={each} autoFocus={focus && nth === given.length - 1} onCopied={onCopied} />
        ))}
      </ul>
    </section>
  );
}
