import { sql } from 'drizzle-orm';
import { recordAgents } from '../../src/gateway/certificates/announce-keys.ts';
import { inTransaction, type Database } from '../../src/platform/database/database.ts';

/**
 * Connects the agent of a device.
 * @param runKeys keys whose signatures it accepts; omitted for an agent that verifies none
 * @param protocol omitted for an agent that does not state it
 */
export async function connectAgent(
  database: Database,
  deviceId: string,
  runKeys?: string[],
  protocol?: number,
): Promise<void> {
  const { rows } = await database.orm.execute<{ id: string }>(
    sql`select id from device_instance where device_id = ${deviceId}`,
  );
  const [{ id: instanceId = '' } = {}] = rows;
  await database.orm.execute(
    sql`update device_status set last_seen_at = portal_now() where device_id = ${deviceId}`,
  );
  const status = { instanceId, ...(runKeys && { runKeys }), ...(protocol && { protocol }) };
  await inTransaction(database, (tx) => recordAgents(tx, [{ deviceId, status }]));
}
