import type { PortalClient } from './portal-client.ts';

/** Aborts a rollout of this operator, to release its devices for other tests. */
export async function abortAirBlast(operator: PortalClient, id: string): Promise<void> {
  await operator.order('airBlast.assumeRole', { id });
  await operator.order('airBlast.abort', { id, reason: '' });
}
