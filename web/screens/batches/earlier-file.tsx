// What is there already of a document, and what becomes of it: each choice is a button that decides, with its key.
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { DocumentRow } from '#contract/batches.ts';
import { versionWords } from '#web/lib/version-messages.ts';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import type { Address } from '#web/ui/page-link.ts';
import { correctionWords } from './batch-messages.ts';
import { choiceOf, type EarlierChoice, isUndecided, mayChange } from './document-groups.ts';
import classes from './review.module.css';
import { useKeyHint } from './use-key-hint.ts';
import { useMayDelete } from './use-may-delete.ts';

interface ChoicesProps {
  document: DocumentRow;
  onChoose: (choice: EarlierChoice) => void;
}

export interface EarlierFileProps extends ChoicesProps {
  batchId: number;
}

/** What the address of a file says that is opened from a document of the batch, to which its way back leads. */
export const placeInBatch = (batchId: number) => (address: Address) => openedFrom(`/batches/${batchId}`, address);

/** As they are offered, with their keys. */
const KEYS: Readonly<Record<EarlierChoice, string>> = { skip: 'D', add: 'N', corrects: 'O', replace: 'E' };

export function EarlierFile({ batchId, document, onChoose }: EarlierFileProps) {
  const { alreadyThere, sameBytes, correctsFileId, clientId, reportTypeId, period } = document;
  const open = mayChange(document);
  if (alreadyThere === null && sameBytes === null) {
    // Nothing is guessed: of a place that is not known whole nobody knows what is there.
    const isUnknown = open && isUndecided(document) && clientId !== null && reportTypeId !== null && period === null;
    return isUnknown ? <p className={classes.notice}>{correctionWords.noPeriod}</p> : null;
  }
  return (
    <>
      {sameBytes === null ? null : (
        <p className={classes.notice}>
          {correctionWords.same[sameBytes.of]}
          {sameBytes.clientName === null ? '' : ` ${correctionWords.at(sameBytes.clientName)}`}:{' '}
          <LinkToFile id={sameBytes.fileId} name={sameBytes.name} search={placeInBatch(batchId)} />
        </p>
      )}
      {alreadyThere === null || alreadyThere.fileId === sameBytes?.fileId ? null : (
        <p className={classes.notice}>
          Already there: <LinkToFile id={alreadyThere.fileId} name={alreadyThere.name} search={placeInBatch(batchId)} />
        </p>
      )}
      {open ? (
        <Choices document={document} onChoose={onChoose} />
      ) : correctsFileId === null ? null : (
        <p className={classes.notice}>{correctionWords.corrects}</p>
      )}
    </>
  );
}

function Choices({ document, onChoose }: ChoicesProps) {
  const hint = useKeyHint();
  const mayReplace = useMayDelete();
  const { alreadyThere } = document;
  const held = alreadyThere?.onHold === true;
  const chosen = choiceOf(document);
  // Until somebody has decided, it is what is proposed.
  const isDecided = !isUndecided(document) || document.reviewedByName !== null;
  const offered: EarlierChoice[] = [
    'skip',
    'add',
    ...(alreadyThere === null ? [] : (['corrects', ...(mayReplace && !held ? ['replace' as const] : [])] as const)),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that decide at once, and no fields
    <div role="group" aria-label={correctionWords.question} className={classes.earlier}>
      <span className={classes.whyTitle}>{correctionWords.question}</span>
      {offered.map((choice) => (
        <Button
          key={choice}
          size="xs"
          variant={choice === chosen ? 'light' : 'default'}
          className={classes.other ?? ''}
          aria-pressed={isDecided && choice === chosen}
          leftSection={isDecided && choice === chosen ? <IconCheck size={14} aria-hidden /> : null}
          onClick={() => onChoose(choice)}
          {...hint(KEYS[choice], correctionWords.hints[choice])}
        >
          {!isDecided && choice === chosen
            ? correctionWords.proposed(correctionWords[choice])
            : correctionWords[choice]}
        </Button>
      ))}
      {/* Chosen before the hold, it is not what will be. */}
      {held && chosen === 'replace' ? null : <p className={classes.where}>{correctionWords.hints[chosen]}</p>}
      {mayReplace && held ? <p className={classes.where}>{versionWords.held}</p> : null}
    </div>
  );
}
