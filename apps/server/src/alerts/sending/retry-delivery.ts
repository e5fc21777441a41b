import { PortalError } from '@deviceportal/contract/errors';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AlertsDeps } from '../alerts-deps.ts';
import { lockFailedDelivery, reopenDelivery } from '../data/delivery-queries.ts';
import { openDestination } from '../destinations/sealed-destination.ts';
import { countManualMessages } from './count-manual-messages.ts';

/**
 * Sends a delivery again that was given up, to the current address of its destination.
 * @throws PortalError 2003 for a delivery that was not given up, or of another user; 2004 for too many
 */
export async function retryDelivery(
  { database, clock, alerts }: Pick<AlertsDeps, 'database' | 'clock' | 'alerts'>,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const found = await lockFailedDelivery(tx, caller.viewer, id);
    if (found === undefined) throw new PortalError('notFound', { facts: { id } });
    const { delivery, current } = found;
    const at = clock();
    const sealed = current ?? delivery.sealed;
    const content = openDestination(alerts.vault, delivery.destinationId, sealed ?? '');
    await countManualMessages(tx, caller.viewer, { content, vault: alerts.vault, at });
    await reopenDelivery(tx, { id, sealed, at });
    await recordAudit(tx, [
      {
        type: 'alert.delivery-retried',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { deliveryId: id, alertId: delivery.alertId, rule: delivery.notice.rule },
      },
    ]);
  });
}
