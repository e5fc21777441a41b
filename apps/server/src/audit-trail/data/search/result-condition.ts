import { sql, type SQL } from 'drizzle-orm';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { e } from './event-rows.ts';

/** Types that are failures; for the end of a command, its state decides. */
const failures: readonly AuditType[] = [
  'device.refused',
  'device.degraded',
  'device.journal-gap',
  'device.over-limit',
  'command.timed-out',
  'command.terminated',
  'command.authorization-mismatch',
  'schedule.missed',
  'schedule.refused',
  'access.wrong-code',
  'access.sign-in-refused',
  'access.sign-in-locked',
  'access.account-locked',
  'access.step-up-failed',
  'access.user-code-locked',
  'access.message-refused',
  'access.links-refused',
  'air-blast.step-failed',
];

const ENDED = 'command.finished' satisfies AuditType;

/** Types of which events can have a result. */
export const typesWithResult = (result: 'success' | 'failure'): readonly AuditType[] =>
  result === 'success' ? [ENDED] : [...failures, ENDED];

export function resultCondition(result: 'success' | 'failure'): SQL {
  const ended = sql`${e.type} = ${ENDED} and ${e.data} ->> 'state'`;
  if (result === 'success') return sql`(${ended} = 'Success')`;
  return sql`(${isAnyOf(e.type, failures)} or (${ended} <> 'Success'))`;
}
