import { ALERT_LIMITS } from '@deviceportal/contract/alerts';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AlertsDeps } from './alerts-deps.ts';
import { lockVisibleRule, muteRule as muteStored } from './data/rule-queries.ts';
import { recordRule } from './save-rule.ts';

const DAY_MS = 86_400_000;

/**
 * Mutes a rule until a time, or ends that. Users who see all alerts can also mute rules of others.
 * @throws PortalError 2003; 2004 for a time that is too far away
 */
export async function muteRule(
  { database, clock }: Pick<AlertsDeps, 'database' | 'clock'>,
  caller: Caller,
  { id, until }: { readonly id: string; readonly until: string | null },
): Promise<void> {
  const end = until === null ? null : new Date(until);
  const days = ALERT_LIMITS.muteDays;
  if (end !== null && end.getTime() - clock().getTime() > days * DAY_MS) {
    throw refuse('alert-mute-too-long', { field: 'until', facts: { days } });
  }
  await inTransaction(database, async (tx) => {
    const rule = await lockVisibleRule(tx, caller.viewer, id);
    if (rule === undefined) throw new PortalError('notFound', { facts: { id } });
    await muteStored(tx, id, end);
    await recordRule(tx, caller, {
      type: end === null ? 'alert.rule-unmuted' : 'alert.rule-muted',
      rule,
      ...(end !== null && { more: { until: end.toISOString() } }),
    });
  });
}
