import type { Database } from '../../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../../platform/secrets/sealed-column.ts';
import type { KeySeal } from './key-seal.ts';

/** The data keys of people that are not destroyed, and the names of people who are being erased. */
export const sealedPersonKeys = (
  database: Pick<Database, 'orm'>,
  seal: KeySeal,
): readonly SealedStore[] =>
  (
    [
      ['person_key', 'sealed'],
      ['erasure', 'sealed_names'],
    ] as const
  ).map(([table, column]) =>
    sealedColumn<string>(database, {
      ...{ table, key: 'id', column, type: 'text' },
      where: `${column} is not null`,
      reseal: ({ id, value }) => seal.reseal(id, value),
    }),
  );
