import type { RunQuery } from '../../../../../packages/aws/tests/parts/athena-front.ts';
import {
  archiveColumns,
  archiveTableParameters,
  MONTH_COLUMN,
  type ArchiveTable,
} from '../../../src/audit-trail/archive/history/archive-table.ts';
import { MONTHS } from './awkward-months.ts';

/**
 * The table of archived months, from the same columns and place. Trino projects a list of months; a range of months, which
 * Athena documents, it refuses.
 */
export async function createTrinoTable(run: RunQuery, table: ArchiveTable): Promise<void> {
  const { database, name, location } = table;
  const columns = archiveColumns.map((column) => `"${column}" varchar`).join(', ');
  const months = MONTHS.map((month) => `'${month}'`).join(', ');
  const template = archiveTableParameters(table)['storage.location.template'];
  const statements = [
    `create schema ${database}`,
    `create table ${database}.${name} (${columns}, ${MONTH_COLUMN} varchar with (
       partition_projection_type = 'enum', partition_projection_values = array[${months}]))
     with (format = 'PARQUET', external_location = '${location}', partitioned_by = array['${MONTH_COLUMN}'],
       partition_projection_enabled = true, partition_projection_location_template = '${template}')`,
  ];
  const watch = { signal: new AbortController().signal, onBytes: () => {} };
  for (const sql of statements) await run({ sql, parameters: [] }, watch);
}
