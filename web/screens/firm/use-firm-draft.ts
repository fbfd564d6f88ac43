// What was typed over the settings of the firm and is not saved yet.
import { useRef, useState } from 'react';
import type { FirmSettings } from '#contract/firm-settings.ts';
import { shownLogo, useUpdateFirmSettings } from '#web/data/firm-settings.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { failed } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import type { DrawnLogo } from './draw-logo.ts';
import { firmDone, firmFailed } from './firm-messages.ts';

const WORDS = ['name', 'accent', 'address', 'phone', 'welcome', 'supportEmail'] as const;
export type Word = (typeof WORDS)[number];

/** What was typed over a version of the settings; `logo` is absent as long as no other one was chosen. */
interface Draft {
  readonly version: string;
  readonly words: Partial<Record<Word, string>>;
  readonly logo?: DrawnLogo | null;
}

type Faults = Readonly<Record<string, string | undefined>>;

/** `load` asks for the settings as the server has them now; `focusField` leads to a field that has a fault. */
export function useFirmDraft(held: FirmSettings, load: () => Promise<FirmSettings>, focusField: (name: Word) => void) {
  const update = useUpdateFirmSettings();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const [overtaken, setOvertaken] = useState<string | null>(null);

  const textOf = (word: Word) => draft?.words[word] ?? held[word];
  const changed = WORDS.filter((word) => textOf(word).trim() !== held[word]);
  const isChanged = changed.length > 0 || draft?.logo !== undefined;
  const logo = draft?.logo === undefined ? shownLogo(held.logo) : draft.logo;

  const change = (more: Partial<Omit<Draft, 'version'>>) =>
    setDraft((before) => ({ version: before?.version ?? held.version, words: {}, ...before, ...more }));
  const type = (word: Word, text: string) => {
    change({ words: { ...draft?.words, [word]: text } });
    setFaults((before) => ({ ...before, [word]: undefined }));
  };
  // A picture takes its time to be drawn: what was chosen before, or has been taken away since, counts no more.
  const lastChoice = useRef<File | null>(null);
  const setLogo = (next: DrawnLogo | null) => {
    change({ logo: next });
    setFaults((before) => ({ ...before, logo: undefined }));
  };
  const chooseLogo = async (file: File) => {
    lastChoice.current = file;
    try {
      const { drawLogo } = await import('./draw-logo.ts');
      const drawn = await drawLogo(file);
      if (lastChoice.current === file) setLogo(drawn);
    } catch (error) {
      if (lastChoice.current === file) setFaults((before) => ({ ...before, logo: (error as Error).message }));
    }
  };
  const removeLogo = () => {
    lastChoice.current = null;
    setLogo(null);
  };

  const send = async (version: string) => {
    const words = Object.fromEntries(changed.map((word) => [word, textOf(word)]));
    const sent = draft?.logo === undefined ? {} : { logo: draft.logo?.base64 ?? null };
    try {
      const saved = await update.mutateAsync({ ...words, ...sent, ifMatch: version });
      // What was typed meanwhile is not saved yet.
      setDraft((now) => (now === null || now === draft ? null : { ...now, version: saved.version }));
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
  const discard = () => {
    lastChoice.current = null;
    setDraft(null);
    setFaults({});
    setOvertaken(null);
  };
  const reload = () => load().then(discard, (error: unknown) => toastFault(error, failed.reload));
  const keepMine = async () => {
    const now = await load().catch((error: unknown) => toastFault(error, firmFailed.save));
    if (now) await send(now.version);
  };

  return {
    textOf,
    type,
    faults,
    logo,
    chooseLogo,
    removeLogo,
    isChanged,
    isSaving: update.isPending,
    save: () => void send(draft?.version ?? held.version),
    discard,
    overtaken,
    reload,
    keepMine,
  };
}
