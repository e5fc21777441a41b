import type { Database } from '../../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../../platform/secrets/sealed-column.ts';
import type { KeySeal } from './key-seal.ts';

/** The data keys of people that are not destroyed. */
export const sealedPersonKeys = (database: Pick<Database, 'orm'>, seal: KeySeal): SealedStore =>
  sealedColumn<string>(database, {
    ...{ table: 'person_key', key: 'id', column: 'sealed', type: 'text' },
    where: 'sealed is not null',
    reseal: ({ id, value }) => seal.reseal(id, value),
  });
