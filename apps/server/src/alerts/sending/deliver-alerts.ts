import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { deliverDue } from '../../platform/deliveries/deliver-due.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { AlertsDeps } from '../alerts-deps.ts';
import { alertOutbox, type StoredDelivery } from '../data/delivery-queries.ts';
import { openDestination } from '../destinations/sealed-destination.ts';
import { alertMail } from '../formats/alert-mail.ts';
import { requestOf } from '../formats/request-of.ts';
import { sendFailure, type SendFailure } from '../../platform/deliveries/send-failure.ts';
import { postOutside } from '../../platform/outside/post-outside.ts';

/** Longer than a request takes. */
const ATTEMPT_MS = 30_000;

/** Sends the deliveries that are due. @returns their number */
export const deliverAlerts = (deps: AlertsDeps): Promise<number> =>
  deliverDue<StoredDelivery>({
    ...{ database: deps.database, clock: deps.clock, attemptMs: ATTEMPT_MS, outbox: alertOutbox },
    send: (delivery) => send(deps, delivery),
    onFailed: recordFailure,
  });

async function send(deps: AlertsDeps, delivery: StoredDelivery): Promise<SendFailure | null> {
  const { alerts, database, clock, publicUrl } = deps;
  const { id, notice, destinationId, sealed } = delivery;
  const content = openDestination(alerts.vault, destinationId, sealed ?? '');
  if (content.kind === 'email') {
    await queueMails(deps, delivery, content.addresses);
    return null;
  }
  const request = requestOf(content, { id, notice, at: clock(), publicUrl });
  const failure = sendFailure({ status: await postOutside(request, alerts.internalHosts) });
  if (failure === null) await alertOutbox.end(database.orm, delivery, delivered(clock()));
  return failure;
}

const delivered = (at: Date) =>
  ({ state: 'delivered', lastError: null, endedAt: at, sealed: null }) as const;

/** Queues the emails and ends the delivery in one transaction; `messages` sends and retries them. */
async function queueMails(
  { database, clock, notices, publicUrl }: AlertsDeps,
  delivery: StoredDelivery,
  addresses: readonly string[],
): Promise<void> {
  const mail = alertMail(delivery.notice, publicUrl);
  await inTransaction(database, async (tx) => {
    if (!(await alertOutbox.end(tx, delivery, delivered(clock())))) return;
    for (const to of addresses) {
      await notices.queue(tx, { ...mail, to, channel: 'email', kind: 'alert', person: null });
    }
  });
}

async function recordFailure(
  tx: Transaction,
  { id, alertId, kind, event, notice, attempts }: StoredDelivery,
  reason: string,
): Promise<void> {
  await recordAudit(tx, [
    {
      type: 'alert.delivery-failed',
      actor: systemActor,
      data: { deliveryId: id, alertId, rule: notice.rule, kind, event, attempts, reason },
    },
  ]);
}
