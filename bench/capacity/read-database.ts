import type { Database } from '../../apps/server/src/platform/database/database.ts';
import type { Usage } from './model/usage.ts';

type DatabaseReading = Omit<Usage, `${string}CpuMs` | `broker${string}`> & {
  /** Connections of devices so far. */
  readonly connects: number;
  readonly connected: number;
  /** Size of the tables whose rows are only updated once a device has them. Room of earlier versions is used again. */
  readonly updatedBytes: number;
};

/** Tables whose rows are deleted within minutes. */
const PASSING = ['device_contact', 'audit_unsealed', 'invocation_wakeup'];

/** Tables with rows for each device, or for each group of devices, that are only updated later. */
const UPDATED = [
  ...['device_status', 'device_instance', 'device_rhythm', 'finding', 'finding_check'],
  ...['finding_progress', 'place_progress', 'version_cell', 'version_cell_delta'],
  'installation_server',
];

/** What PostgreSQL has written, and the size of its tables with their indexes by how long their rows stay. */
export async function readDatabase({ pool }: Database): Promise<DatabaseReading> {
  const { rows } = await pool.query(
    `with sized as (
       select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
       where relkind = 'r' and relnamespace in ('public'::regnamespace, 'identity'::regnamespace)
         and relname <> all ($1::text[])
     ), grouped as (
       select case when name like 'audit_event%' then 'audit' when name = 'api_call' then 'call'
         when name in ('invocation_output', 'invocation_answer', 'run_answer', 'run_outcome', 'shown_target') then 'output'
         when name = any ($2::text[]) then 'updated' else 'kept' end as tier, bytes from sized
     )
     select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
       (select count(*)::float8 from audit_event where type = 'device.connected') as connects,
       (select count(*)::float8 from device_status where connectivity in ('online', 'degraded')) as connected,
       xact_commit::float8 as commits,
       (tup_inserted + tup_updated + tup_deleted)::float8 as "rowsWritten",
       (select sum(n_tup_ins)::float8 from pg_stat_all_tables where relname like 'audit_event%') as "auditEvents",
       (select sum(bytes) from grouped where tier = 'audit') as "auditBytes",
       (select sum(bytes) from grouped where tier = 'output') as "outputBytes",
       (select sum(bytes) from grouped where tier = 'call') as "callBytes",
       (select sum(bytes) from grouped where tier = 'kept') as "keptBytes",
       (select sum(bytes) from grouped where tier = 'updated') as "updatedBytes"
     from pg_stat_database where datname = current_database()`,
    [PASSING, UPDATED],
  );
  return rows[0];
}
