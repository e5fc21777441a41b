import { PortalClient } from './portal-client.ts';

/** Ends an AirBlast as the operator, so that its devices are free for other tests. */
export async function abortAirBlast(id: string): Promise<void> {
  const operator = await PortalClient.signIn('operator');
  await operator.order('airBlast.assumeRole', { id });
  await operator.order('airBlast.abort', { id, reason: '' });
}
