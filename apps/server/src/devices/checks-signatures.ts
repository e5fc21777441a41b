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
