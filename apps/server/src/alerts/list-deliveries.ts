import type { AlertDeliveryRow } from '@deviceportal/contract/alerts';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AlertsDeps } from './alerts-deps.ts';
import { isAlertVisible } from './data/alert-queries.ts';
import { listDeliveries as listStored } from './data/delivery-queries.ts';

/**
 * The deliveries of a visible alert, latest first.
 * @throws PortalError 2003
 */
export async function listDeliveries(
  { database }: Pick<AlertsDeps, 'database'>,
  viewer: Viewer,
  { alertId }: { readonly alertId: string },
): Promise<AlertDeliveryRow[]> {
  if (!(await isAlertVisible(database.orm, viewer, alertId))) {
    throw new PortalError('notFound', { facts: { id: alertId } });
  }
  const mayRetry = holds(viewer.grants, 'alerts:manage');
  return (await listStored(database.orm, alertId)).map(
    ({ id, event, kind, state, attempts, lastError, createdAt, freeAt, endedAt, ownerId }) => ({
      ...{ id, event, kind, state, attempts, lastError },
      createdAt: createdAt.toISOString(),
      nextAt: endedAt === null ? freeAt.toISOString() : null,
      endedAt: isoOrNull(endedAt),
      canRetry: state === 'failed' && mayRetry && ownerId === viewer.userId,
    }),
  );
}
