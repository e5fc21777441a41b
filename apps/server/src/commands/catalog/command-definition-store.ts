import { sql, type SQL } from 'drizzle-orm';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import { everywhere, type Consequence, type Scope } from '@deviceportal/contract/permissions';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface StoredCommand {
  readonly command: string;
  readonly documentName: string | null;
  readonly consequence: Consequence;
  /** Of the bound document's default version; null where none is bound. */
  readonly documentConsequence: Consequence | null;
  readonly needsSerialNumber: boolean;
  readonly group: CommandDefinition['group'];
  readonly description: string;
  /** Of the bound document's default version; empty where none is bound. */
  readonly steps: readonly Pick<DocumentStep, 'action' | 'precondition'>[];
}

async function select(executor: Executor, where: SQL): Promise<StoredCommand[]> {
  const { rows } = await executor.execute(sql`
    select c.command, c.document_name as "documentName", c.consequence, v.consequence as "documentConsequence", c.needs_serial_number as "needsSerialNumber",
           c.command_group as "group", c.description, coalesce(v.parsed->'mainSteps', '[]') as steps
    from command_definition c
    left join document d on d.name = c.document_name
    left join document_version v on v.document_name = d.name and v.version = d.default_version
    where ${where} order by c.position`);
  return rows as unknown as StoredCommand[];
}

export function findCommands(executor: Executor): Promise<StoredCommand[]> {
  return select(executor, sql`true`);
}

export async function findCommand(
  executor: Executor,
  command: string,
): Promise<StoredCommand | undefined> {
  return (await select(executor, sql`c.command = ${command}`))[0];
}

/** Whether any catalogue entry that binds this document asks for a serial number. */
export async function documentNeedsSerialNumber(
  executor: Executor,
  documentName: string,
): Promise<boolean> {
  const { rows } = await executor.execute(sql`
    select 1 from command_definition where document_name = ${documentName} and needs_serial_number`);
  return rows.length > 0;
}

/** Within the scopes, half of the past successful invocations of this document's latest 50 runs took no longer than this. */
export async function typicalDurationMs(
  executor: Executor,
  documentName: string,
  scopes: readonly Scope[] = [everywhere],
): Promise<number | null> {
  const { rows } = await executor.execute(sql`
    with recent as (
      select id from command_run where document_name = ${documentName} and success_count > 0
      order by created_at desc limit 50
    )
    select percentile_cont(0.5) within group (order by extract(epoch from took.ended_at - took.started_at) * 1000) as ms
    from recent, lateral (
      select i.started_at, i.ended_at from invocation i join device d on d.id = i.device_id
        and ${deviceScopeCondition(scopes)}
      where i.run_id = recent.id and i.state = 'Success' and i.started_at is not null limit 20
    ) took`);
  const ms = (rows[0] as { ms: number | null } | undefined)?.ms ?? null;
  return ms === null ? null : Math.round(ms);
}
