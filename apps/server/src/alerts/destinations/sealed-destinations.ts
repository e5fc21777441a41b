import type { TextVault } from '../../commands/output/text-vault.ts';
import type { Database } from '../../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../../platform/secrets/sealed-column.ts';

/** Destinations of rules, and their copies in deliveries, which are sealed for the same ID. */
export const sealedDestinations = (
  database: Pick<Database, 'orm'>,
  vault: TextVault,
): readonly SealedStore[] => [
  sealedColumn<string>(database, {
    ...{ table: 'alert_destination', key: 'id', column: 'sealed', type: 'text' },
    reseal: ({ id, value }) => vault.resealText(id, value),
  }),
  sealedColumn<string>(database, {
    ...{ table: 'alert_delivery', key: 'id', column: 'sealed', type: 'text' },
    where: 'sealed is not null',
    beside: 'destination_id',
    reseal: ({ value, beside }) => vault.resealText(String(beside), value),
  }),
];
