import { and, asc, desc, eq, gt, isNotNull, notInArray, sql, type SQL } from 'drizzle-orm';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { defaultVersions } from '../../documents/data/document-versions.ts';
import type { Executor } from '../../platform/database/database.ts';
import { percentileOf } from '../../platform/database/percentile-of.ts';
import { recordsOf } from '../../platform/database/records-of.ts';
import { setExcluded } from '../../platform/database/excluded.ts';
import { commandDefinition, commandRun, invocation } from './commands-tables.ts';

export type StoredCommand = Awaited<ReturnType<typeof selectCommands>>[number];

async function selectCommands(on: Executor, where?: SQL) {
  return on
    .select({
      command: commandDefinition.command,
      documentName: commandDefinition.documentName,
      consequence: commandDefinition.consequence,
      /** Of the bound document's default version; null if none is bound. */
      documentConsequence: defaultVersions.consequence,
      needsSerialNumber: commandDefinition.needsSerialNumber,
      group: commandDefinition.group,
      description: commandDefinition.description,
      /** Of the bound document's default version; empty if none is bound. */
      steps: sql<
        Pick<DocumentStep, 'action' | 'precondition'>[]
      >`coalesce(${defaultVersions.parsed}->'mainSteps', '[]')`,
    })
    .from(commandDefinition)
    .leftJoin(defaultVersions, eq(defaultVersions.documentName, commandDefinition.documentName))
    .where(where)
    .orderBy(asc(commandDefinition.position));
}

export const findCommands = (on: Executor): Promise<StoredCommand[]> => selectCommands(on);

export async function findCommand(
  on: Executor,
  command: string,
): Promise<StoredCommand | undefined> {
  const [found] = await selectCommands(on, eq(commandDefinition.command, command));
  return found;
}

/** Whether a catalog entry with this document needs a serial number. */
export async function documentNeedsSerialNumber(
  on: Executor,
  documentName: string,
): Promise<boolean> {
  const rows = await on
    .select({ command: commandDefinition.command })
    .from(commandDefinition)
    .where(
      and(eq(commandDefinition.documentName, documentName), commandDefinition.needsSerialNumber),
    );
  return rows.length > 0;
}

type Definition = typeof commandDefinition.$inferSelect;

/** Replaces the whole catalog. */
export async function replaceDefinitions(
  on: Executor,
  definitions: readonly Definition[],
): Promise<void> {
  const { columns, values, records } = recordsOf(commandDefinition, JSON.stringify(definitions));
  const gone = on.delete(commandDefinition).where(
    notInArray(
      commandDefinition.command,
      definitions.map(({ command }) => command),
    ),
  );
  const replaced = setExcluded(commandDefinition, [
    ...(['documentName', 'consequence', 'needsSerialNumber', 'group'] as const),
    ...(['description', 'position'] as const),
  ]);
  await on.execute(sql`
    with gone as (${gone.getSQL()})
    insert into ${commandDefinition} (${columns}) select ${values} from ${records}
    on conflict (${sql.identifier(commandDefinition.command.name)}) do update set ${replaced}`);
}

const LATEST_RUNS = 50;
const DEVICES_OF_A_RUN = 20;

/** Median duration (ms) of successful invocations of this document's latest 50 runs, within the scopes. */
export async function typicalDurationMs(
  on: Executor,
  documentName: string,
  scopes: readonly Scope[] = [everywhere],
): Promise<number | null> {
  const latest = on
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(and(eq(commandRun.documentName, documentName), gt(commandRun.successCount, 0)))
    .orderBy(desc(commandRun.createdAt))
    .limit(LATEST_RUNS)
    .as('latest');
  const took = on
    .select({
      ms: sql<number>`extract(epoch from ${invocation.endedAt} - ${invocation.startedAt}) * 1000`.as(
        'took_ms',
      ),
    })
    .from(invocation)
    .innerJoin(
      deviceRecords,
      and(
        eq(deviceRecords.deviceId, invocation.deviceId),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .where(
      and(
        eq(invocation.runId, latest.id),
        eq(invocation.state, 'Success'),
        isNotNull(invocation.startedAt),
      ),
    )
    .limit(DEVICES_OF_A_RUN)
    .as('took');
  const [found] = await on
    .select({ ms: percentileOf(0.5, took.ms) })
    .from(latest)
    .crossJoinLateral(took);
  return found?.ms === null || found === undefined ? null : Math.round(found.ms);
}
