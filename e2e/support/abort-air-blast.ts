import type { PortalClient } from './portal-client.ts';

/** Ends an AirBlast of this operator, so that its devices are free for other tests. */
export async function abortAirBlast(operator: PortalClient, id: string): Promise<void> {
  await operator.order('airBlast.assumeRole', { id });
  await operator.order('airBlast.abort', { id, reason: '' });
}
