import type { TextVault } from '../commands/output/text-vault.ts';
import type { Database } from '../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../platform/secrets/sealed-column.ts';

/** Rows of files. */
export const sealedImports = (
  database: Pick<Database, 'orm'>,
  vault: TextVault,
): readonly SealedStore[] => [
  sealedColumn<string>(database, {
    ...{ table: 'data_import_row', key: 'id', column: 'sealed', type: 'text' },
    reseal: ({ id, value }) => vault.resealText(id, value),
  }),
];
