import type { StepUpMethod } from '@deviceportal/contract/step-up';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

/** The last second step of a session. */
export const stepUp = pgTable(
  'step_up',
  {
    /** SHA-256 of user and sign-in. */
    sessionKey: text('session_key').primaryKey(),
    userId: uuid('user_id').notNull(),
    method: text().$type<StepUpMethod>().notNull(),
    confirmedAt: moment('confirmed_at').notNull(),
  },
  (table) => [
    index('step_up_of_user').on(table.userId),
    index('step_up_by_time').on(table.confirmedAt),
  ],
);
