import { z } from 'zod';
import { findUserToErase } from '../../access/data/erase-user-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StoredErasure } from '../data/erasure-queries.ts';
import type { NamedUser } from '../data/erase-user-data.ts';
import { personalKeysOf } from '../keys/personal-keys-of.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';

/** What identifies a person in rows that an erasure has not visited yet. */
export interface ErasedPerson {
  readonly user: (NamedUser & { readonly subject: string }) | undefined;
  readonly customers: readonly string[];
  /** Email addresses and phone numbers of the customers. */
  readonly contacts: readonly string[];
  /** Words by which the customers were found. */
  readonly words: string;
}

const namesSchema = z.object({
  user: z.array(z.string()),
  contacts: z.array(z.string()),
  words: z.string(),
});
export type PersonNames = z.infer<typeof namesSchema>;

const noNames: PersonNames = { user: [], contacts: [], words: '' };

/** The names of an erasure, while it needs them. */
export function namesOf(
  on: Transaction,
  { id, sealedNames }: Pick<StoredErasure, 'id' | 'sealedNames'>,
): PersonNames {
  const text = sealedNames === null ? undefined : personalKeysOf(on).openNames(id, sealedNames);
  // Without the key of the installation, rows are found by ID only.
  return text === undefined ? noNames : namesSchema.parse(JSON.parse(text));
}

export async function readErasedPerson(
  tx: Transaction,
  erasure: StoredErasure,
): Promise<ErasedPerson> {
  const { user: names, contacts, words } = namesOf(tx, erasure);
  const { userId, personIds: customers } = erasure;
  const found = userId === null ? undefined : await findUserToErase(tx, userId);
  const user = found && {
    ...{ id: found.id, subject: found.subject, names },
    pseudonym: pseudonymOf(found.id),
  };
  return { user, customers, contacts, words };
}
