import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { keepSetting, readSetting } from '../../platform/keep-setting.ts';
import { findDeviceOfClaim } from '../data/enrollment/claim-queries.ts';
import { issueClaim } from './issue-claim.ts';

const CLAIM_LIFETIME_MS = 3_600_000;
/** Setting with the ID of the latest claim for the agent that the server starts itself. */
const LOCAL_AGENT_CLAIM = 'local-agent-claim';

/**
 * Creates a claim for the agent on this machine: one use, valid for an hour. After it has enrolled, later claims are
 * for the same device, so that an agent whose state was deleted becomes that device again.
 */
export async function claimForLocalAgent(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  machine: string,
): Promise<string> {
  return inTransaction(database, async (tx) => {
    const { id, token } = await issueClaim(tx, {
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
    await keepSetting(tx, LOCAL_AGENT_CLAIM, id);
    return token;
  });
}

export async function isClaimOfLocalAgent(tx: Transaction, claimId: string): Promise<boolean> {
  return (await readSetting(tx, LOCAL_AGENT_CLAIM)) === claimId;
}

/** No claim is created for a retired device. */
async function findDeviceOfLocalAgent(tx: Transaction): Promise<string | null> {
  const claimId = await readSetting(tx, LOCAL_AGENT_CLAIM);
  return typeof claimId === 'string' ? findDeviceOfClaim(tx, claimId) : null;
}
