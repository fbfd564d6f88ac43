// Two clients may have one name: in a list to choose from they are told apart by their federal ids.
import type { ClientRow } from '#contract/clients.ts';

type Named = Pick<ClientRow, 'id' | 'name' | 'federalId'>;

/** What a client is called among `all` that are listed with it. */
export const nameApart = ({ id, name, federalId }: Named, all: readonly Named[]): string =>
  all.some((other) => other.name === name && other.id !== id) ? `${name} (${federalId})` : name;
