import type { AlertTestResult } from '@deviceportal/contract/alerts';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AlertNotice } from '../alert-notice.ts';
import type { AlertsDeps } from '../alerts-deps.ts';
import { findOwnDestination, type StoredRule } from '../data/rule-queries.ts';
import { openDestination } from '../destinations/sealed-destination.ts';
import { alertMail } from '../formats/alert-mail.ts';
import { requestOf } from '../formats/request-of.ts';
import { languageOf } from '../queue-deliveries.ts';
import { countManualMessages } from './count-manual-messages.ts';
import { postOutside } from '../../platform/outside/post-outside.ts';
import { sendFailure } from '../../platform/deliveries/send-failure.ts';

const LIMIT_MS = 10_000;

/**
 * Sends a test to a destination of an own rule, once, and returns what came of it.
 * @throws PortalError 2003 for a destination that does not exist, or of another user; 2004 for too many tests
 */
export async function testDestination(
  deps: AlertsDeps,
  caller: Caller,
  { destinationId }: { readonly destinationId: string },
): Promise<AlertTestResult> {
  const { database, clock, alerts, notices, publicUrl } = deps;
  const found = await findOwnDestination(database.orm, caller.viewer, destinationId);
  if (found === undefined) throw new PortalError('notFound', { facts: { id: destinationId } });
  const { rule, destination } = found;
  const content = openDestination(alerts.vault, destination.id, destination.sealed);
  const notice = await inTransaction(database, async (tx) => {
    await countManualMessages(tx, caller.viewer, { content, vault: alerts.vault, at: clock() });
    const test = testNotice(rule, { at: clock(), language: await languageOf(tx, rule.ownerId) });
    if (content.kind === 'email') {
      const mail = alertMail(test, publicUrl);
      for (const to of content.addresses) {
        await notices.queue(tx, { ...mail, to, channel: 'email', kind: 'alert', person: null });
      }
    }
    await recordAudit(tx, [
      {
        type: 'alert.destination-tested',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { ruleId: rule.id, rule: rule.name, destinationId, kind: destination.kind },
      },
    ]);
    return test;
  });
  if (content.kind === 'email') return { ok: true, error: null };
  const send = (test: AlertNotice) =>
    postOutside(
      requestOf(content, { id: newId(), notice: test, at: clock(), publicUrl }),
      alerts.internalHosts,
      LIMIT_MS,
    );
  try {
    const status = await send(notice);
    const failure = sendFailure({ status });
    if (failure !== null) return { ok: false, error: failure.reason };
    // Otherwise the incident of the test would remain open.
    if (content.kind === 'pagerduty') await send({ ...notice, event: 'resolved' });
    return { ok: true, error: null };
  } catch (error) {
    return { ok: false, error: sendFailure({ error }).reason };
  }
}

const testNotice = (
  rule: StoredRule,
  { at, language }: { readonly at: Date; readonly language: AlertNotice['language'] },
): AlertNotice => ({
  ...{ event: 'test', alertId: newId(), ruleId: rule.id, rule: rule.name, severity: rule.severity },
  ...{ condition: rule.condition, unit: rule.unit, above: rule.above, language },
  ...{ matching: rule.matching ?? 0, total: rule.total ?? 0, reason: null, devices: [] },
  ...{ startedAt: at.toISOString(), at: at.toISOString() },
});
