// A file's name that leads to the page of the file.
import { Anchor } from '@mantine/core';
import { CutName, wholeName } from '#web/ui/cut-name.tsx';
import { type Address, PageLink } from '#web/ui/page-link.ts';

export interface LinkToFileProps {
  id: number;
  name: string;
  /** What the file's address says of the list that it is opened from, made from the address of that list. */
  search?: (address: Address) => Address;
  /** Within a sentence, where its colour alone does not tell it from the words around it. */
  inText?: boolean;
}

const ofNoList = () => ({});

export function LinkToFile({ id, name, search = ofNoList, inText = false }: LinkToFileProps) {
  return (
    <Anchor
      component={PageLink}
      to="/cpa-dashboard/report/$id"
      params={{ id: String(id) }}
      search={search}
      inherit
      underline={inText ? 'always' : 'hover'}
      aria-label={wholeName(name)}
      style={{ overflowWrap: 'anywhere' }}
    >
      <CutName text={name} />
    </Anchor>
  );
}
