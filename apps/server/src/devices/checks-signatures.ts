import { sql, type SQL } from 'drizzle-orm';

/**
 * Whether the agent of a current instance checks the signature of a run; null until it has connected and said so.
 * @param instance alias of its row in `device_instance`
 * @param status alias of its device's row in `device_status`
 */
export const checksSignatures = (instance: SQL, status: SQL): SQL => sql`
  case when cardinality(${instance}.run_key_ids) > 0 then true
       when greatest(${status}.heartbeat_at, ${status}.last_seen_at, ${instance}.last_ping_at) >= ${instance}.enrolled_at
       then false end`;

/** Whether the agent of a device has connected and does not check the signature of a run. */
export const runsUnchecked = (deviceId: SQL): SQL => sql`exists (
  select from device_instance n left join device_status s on s.device_id = n.device_id
  where n.device_id = ${deviceId} and n.state = 'current' and ${checksSignatures(sql`n`, sql`s`)} is false)`;
