import { sql } from 'drizzle-orm';
import { publishKeys } from '@deviceportal/command-signing/key-trust';
import type { RunKeysMessage, StatusMessage } from '@deviceportal/device-protocol/messages';
import type { RunKeys } from '../commands/signing/run-signing.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { DownMessage } from './device-transport.ts';

/** What a birth message says of the keys that its device trusts. */
export interface BirthKeys {
  readonly deviceId: string;
  readonly status: Pick<StatusMessage, 'instanceId' | 'runKeys'>;
}

/** Keeps which devices check signatures, and against which keys. Locks in the order of ids, as journals do. */
export async function recordRunKeys(tx: Transaction, births: readonly BirthKeys[]): Promise<void> {
  if (births.length === 0) return;
  const rows = births.map(({ status }) => ({
    id: status.instanceId,
    keys: status.runKeys ?? null,
  }));
  await tx.execute(sql`
    with birth as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as birth(id text, keys text[])),
    held as materialized (
      select instance.id from birth join device_instance as instance using (id)
      where instance.run_key_ids is distinct from birth.keys order by instance.id for update of instance)
    update device_instance as instance set run_key_ids = birth.keys
    from birth join held using (id) where instance.id = birth.id`);
}

/**
 * The keys for devices that do not know the one that signs. A device without any pins them (trust on first use, over its
 * own authenticated connection); any other takes a new key only where one that it has pinned endorses it.
 */
export function runKeysFor(
  births: readonly BirthKeys[],
  { current, known }: RunKeys,
): DownMessage[] {
  const message: RunKeysMessage = { keys: publishKeys(known) };
  const payload = JSON.stringify(message);
  return births
    .filter(({ status }) => status.runKeys !== undefined && !status.runKeys.includes(current.keyId))
    .map(({ deviceId }) => ({ deviceId, channel: 'run-keys', payload, qos: 1 }));
}
