import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { accessReviewLine } from './access-reviews-tables.ts';

/**
 * Lines are evidence: they keep the ID of the user, whose name is read from the user. The reason is free text about the
 * user, so the lines of an erased user are deleted.
 */
export const accessReviewsUserTables: UserTables = {
  own: [{ table: accessReviewLine, id: accessReviewLine.userId }],
};
