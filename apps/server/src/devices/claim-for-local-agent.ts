import { inTransaction, type Database } from '../platform/database/database.ts';
import { insertClaim } from './claim-store.ts';

const CLAIM_LIFETIME_MS = 3_600_000;

/** A claim with which the agent of this machine enrols: one use, one hour. */
export async function claimForLocalAgent(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  machine: string,
): Promise<string> {
  const { token } = await inTransaction(database, (tx) =>
    insertClaim(tx, {
      model: null,
      ownerId: null,
      country: null,
      labels: { machine: machine.slice(0, 256), role: 'this-machine' },
      uses: 1,
      expiresAt: new Date(clock().getTime() + CLAIM_LIFETIME_MS),
      createdBy: 'Device Portal',
      deviceId: null,
      recordedDeviceIds: null,
    }),
  );
  return token;
}
