import type { TextVault } from '../commands/output/text-vault.ts';
import type { Database } from '../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../platform/secrets/sealed-column.ts';

/** The secret of the ticket system. */
export const sealedTickets = (
  database: Pick<Database, 'orm'>,
  vault: TextVault,
): readonly SealedStore[] => [
  sealedColumn<string>(database, {
    ...{ table: 'ticket_system', key: 'id', column: 'sealed', type: 'text' },
    reseal: ({ id, value }) => vault.resealText(id, value),
  }),
];
