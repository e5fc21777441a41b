import { sql } from 'drizzle-orm';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { setting } from '../../platform/platform-tables.ts';
import { insertClaim } from './claim-store.ts';

const CLAIM_LIFETIME_MS = 3_600_000;
/** Id of the latest claim that the server made for the agent it starts itself. */
const LOCAL_AGENT_CLAIM = 'local-agent-claim';

/**
 * A claim with which the agent of this machine enrols: one use, one hour. Once it has enrolled, a later claim is for
 * the device that it became, so that an agent whose state was deleted becomes that device again.
 */
export async function claimForLocalAgent(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  machine: string,
): Promise<string> {
  return inTransaction(database, async (tx) => {
    const { id, token } = await insertClaim(tx, {
      model: null,
      ownerId: null,
      country: null,
      labels: { machine: machine.slice(0, 256), role: 'this-machine' },
      uses: 1,
      expiresAt: new Date(clock().getTime() + CLAIM_LIFETIME_MS),
      createdBy: 'Device Portal',
      createdById: null,
      deviceId: await findDeviceOfLocalAgent(tx),
      recordedDeviceIds: null,
      bond: null,
    });
    await tx
      .insert(setting)
      .values({ key: LOCAL_AGENT_CLAIM, value: id })
      .onConflictDoUpdate({ target: setting.key, set: { value: id } });
    return token;
  });
}

export async function isClaimOfLocalAgent(tx: Transaction, claimId: string): Promise<boolean> {
  const found = await tx.execute(sql`
    select from setting where key = ${LOCAL_AGENT_CLAIM} and value = to_jsonb(${claimId}::text)`);
  return found.rows.length > 0;
}

/** A retired device stays retired: no claim is made for it. */
async function findDeviceOfLocalAgent(tx: Transaction): Promise<string | null> {
  const found = await tx.execute<{ id: string }>(sql`
    select device.id from setting
      join claim on claim.id = (setting.value #>> '{}')::uuid
      join device on device.id = claim.device_id
    where setting.key = ${LOCAL_AGENT_CLAIM} and device.lifecycle <> 'retired'`);
  return found.rows[0]?.id ?? null;
}
