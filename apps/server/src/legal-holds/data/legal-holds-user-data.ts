import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { heldErasure } from './legal-holds-tables.ts';

/** Holds keep the IDs of those who set and released them; their names are read from the users. */
export const legalHoldsUserTables: UserTables = {
  own: [{ table: heldErasure, id: heldErasure.personId }],
};
