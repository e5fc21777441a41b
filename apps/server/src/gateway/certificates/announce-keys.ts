import { sql } from 'drizzle-orm';
import { publishRing, type PublishedRing } from '@deviceportal/command-signing/publish-ring';
import type { KeyRingMessage, StatusMessage } from '@deviceportal/device-protocol/messages';
import type { Transaction } from '../../platform/database/database.ts';
import type { DownMessage } from '../device-transport.ts';

/** The rings that devices pin. */
export interface DeviceKeys {
  readonly runs: PublishedRing;
  readonly releases: PublishedRing;
}

/** What a birth message says of the keys that its device trusts. */
export interface BirthKeys {
  readonly deviceId: string;
  readonly status: Pick<StatusMessage, 'instanceId' | 'runKeys' | 'releaseKeys'>;
}

/** Keeps which devices check signatures, and against which keys. Locks in the order of ids, as journals do. */
export async function recordPinnedKeys(
  tx: Transaction,
  births: readonly BirthKeys[],
): Promise<void> {
  if (births.length === 0) return;
  const rows = births.map(({ status }) => ({
    id: status.instanceId,
    runs: status.runKeys ?? null,
    releases: status.releaseKeys ?? null,
  }));
  await tx.execute(sql`
    with birth as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as birth(id text, runs text[], releases text[])),
    held as materialized (
      select instance.id from birth join device_instance as instance using (id)
      where (instance.run_key_ids, instance.release_key_ids) is distinct from (birth.runs, birth.releases)
      order by instance.id for update of instance)
    update device_instance as instance set run_key_ids = birth.runs, release_key_ids = birth.releases
    from birth join held using (id) where instance.id = birth.id`);
}

/** The rings for devices that have pinned others. An agent that says nothing of a ring does not know it. */
export async function keysFor(
  births: readonly BirthKeys[],
  keys: DeviceKeys,
  now: Date,
): Promise<DownMessage[]> {
  const pinnedBy = {
    runs: ({ status }: BirthKeys) => status.runKeys,
    releases: ({ status }: BirthKeys) => status.releaseKeys,
  };
  const messages: DownMessage[] = [];
  for (const name of ['runs', 'releases'] as const) {
    const stale = births.filter((birth) => isStale(pinnedBy[name](birth), keys[name]));
    if (stale.length === 0) continue;
    const message: KeyRingMessage = await publishRing(name, keys[name], now);
    const payload = JSON.stringify(message);
    messages.push(
      ...stale.map(({ deviceId }) => ({ deviceId, channel: 'run-keys', payload, qos: 1 }) as const),
    );
  }
  return messages;
}

function isStale(pinned: readonly string[] | undefined, ring: PublishedRing): boolean {
  if (pinned === undefined) return false;
  const wanted = ring.pinned.map(({ keyId }) => keyId);
  return wanted.length !== pinned.length || wanted.some((keyId) => !pinned.includes(keyId));
}
