import { sql } from 'drizzle-orm';
import type { LastValues } from '@deviceportal/contract/commands';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { SEALED } from '../parameters/parameter-vault.ts';

/**
 * What somebody ran a document with last. Left out is what was secret then (only masked values are left of it) and
 * what is secret now.
 */
export async function findLastValues(
  executor: Executor,
  wanted: {
    readonly userId: string;
    readonly documentName: string;
    readonly secretParameters: readonly string[];
  },
): Promise<LastValues | null> {
  const { rows } = await executor.execute(sql`
    select masked_parameters - coalesce(
             (select array_agg(name) from jsonb_object_keys(parameters->${SEALED}::text) as name), '{}')
             - ${sql.param(wanted.secretParameters)}::text[] as parameters,
           created_at as at
    from command_run
    where created_by_id = ${wanted.userId} and document_name = ${wanted.documentName}
    order by created_at desc limit 1`);
  const found = rows[0] as { parameters: Record<string, unknown>; at: string } | undefined;
  if (found === undefined || Object.keys(found.parameters).length === 0) return null;
  return { parameters: found.parameters, at: isoOf(found.at) };
}
