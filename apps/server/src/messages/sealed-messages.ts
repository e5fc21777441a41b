import type { Database } from '../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../platform/secrets/sealed-column.ts';
import type { MessageSeal } from './message-seal.ts';

/** Queued messages; ended ones have no sealed content. */
export const sealedMessages = (
  database: Pick<Database, 'orm'>,
  seal: MessageSeal,
): readonly SealedStore[] => [
  sealedColumn<string>(database, {
    ...{ table: 'outgoing_message', key: 'id', column: 'sealed', type: 'text' },
    where: 'sealed is not null',
    reseal: ({ id, value }) => seal.reseal(id, value),
  }),
];
