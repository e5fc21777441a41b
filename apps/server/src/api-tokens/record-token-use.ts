import { addressBucket } from '@deviceportal/contract/address-bucket';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { addTokenAddress, noteTokenUse, type StoredToken } from './data/api-token-queries.ts';
import { recordApiToken, tokenActorOf } from './record-api-token.ts';

const MINUTE_MS = 60_000;
const MOST_KEPT = 10_000;

/** Records the use of a token: its minute and address, and in the audit trail its first use from an address. */
export function createUseRecorder({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: () => Date;
}): (token: StoredToken, viewer: Viewer, origin: RequestOrigin) => Promise<void> {
  /** The minute in which a use was last written, by token and bucket of the address. */
  const written = new Map<string, number>();
  return async (token, viewer, origin) => {
    const minute = Math.floor(clock().getTime() / MINUTE_MS);
    // A client can have 2^64 addresses, each of which would be another write.
    const address = addressBucket(origin.address);
    const key = `${token.id} ${address}`;
    if (written.get(key) === minute) return;
    await inTransaction(database, async (tx) => {
      await noteTokenUse(tx, token.id, address);
      if (!(await addTokenAddress(tx, token, address))) return;
      await recordApiToken(tx, tokenActorOf({ viewer, ...origin }), {
        ...{ type: 'access.api-token-used-from-new-address', token },
      });
    });
    written.delete(key);
    written.set(key, minute);
    const [oldest] = written.keys();
    if (written.size > MOST_KEPT && oldest !== undefined) written.delete(oldest);
  };
}
