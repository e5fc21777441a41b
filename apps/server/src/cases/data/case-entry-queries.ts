import { and, desc, eq, inArray, isNull, isNotNull, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { CaseEntryKind } from '@deviceportal/contract/cases';
import { newId } from '@deviceportal/contract/ids';
import { scopesOf } from '@deviceportal/contract/permissions';
import { isRunWithin } from '../../commands/data/runs/runs-within.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Executor } from '../../platform/database/database.ts';
import { insertColumns } from '../../platform/database/insert-columns.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { caseEntry } from './cases-tables.ts';

export type StoredEntry = Awaited<ReturnType<typeof selectEntries>>[number];

export interface EntryDraft {
  readonly caseId: string;
  readonly at: Date;
  readonly actorId: string;
  readonly actor: string;
  readonly kind: CaseEntryKind;
  readonly deviceId?: string | null;
  readonly runId?: string | null;
  readonly reference?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

const build = new QueryBuilder();
const MAX_DEVICES = 50;

const inserted = insertColumns(caseEntry, [
  ...(['id', 'caseId', 'at', 'actorId', 'actor', 'kind'] as const),
  ...(['deviceId', 'runId', 'reference', 'data'] as const),
]);

/**
 * Inserts entries in the transaction of the actions that they record.
 * @returns their IDs
 */
export async function insertEntries(
  tx: Executor,
  drafts: readonly EntryDraft[],
): Promise<readonly string[]> {
  if (drafts.length === 0) return [];
  const rows = drafts.map(
    ({ caseId, at, actorId, actor, kind, deviceId, runId, reference, data }) => ({
      ...{ id: newId(), caseId, at: at.toISOString(), actorId, actor, kind },
      deviceId: deviceId ?? null,
      runId: runId ?? null,
      reference: reference ?? null,
      data: JSON.stringify(data ?? {}),
    }),
  );
  await tx.execute(sql`
    insert into ${caseEntry} (${inserted.names})
    select ${inserted.values} from ${rowsOf(inserted.types, rows)} as entry`);
  return rows.map(({ id }) => id);
}

/** Entries of these kinds in a case, for growth limits. */
export const entriesOfKind = (caseId: string, ...kinds: readonly CaseEntryKind[]): SQL =>
  build
    .select({ id: caseEntry.id })
    .from(caseEntry)
    .where(and(eq(caseEntry.caseId, caseId), inArray(caseEntry.kind, [...kinds])))
    .getSQL();

/** Changes of the details and of the assignee of a case. */
export const editsOf = (caseId: string): SQL => entriesOfKind(caseId, 'updated', 'assigned');

/** Prolongs the user's last look-up of the same thing. False if there is none within the pause. */
export async function prolongLookUp(
  on: Executor,
  look: EntryDraft,
  pauseSeconds: number,
): Promise<boolean> {
  const last = build
    .select({ id: caseEntry.id })
    .from(caseEntry)
    .where(
      and(
        eq(caseEntry.caseId, look.caseId),
        eq(caseEntry.actorId, look.actorId),
        eq(caseEntry.kind, look.kind),
        sql`${caseEntry.deviceId} is not distinct from ${look.deviceId ?? null}::uuid`,
        sql`${caseEntry.reference} is not distinct from ${look.reference ?? null}::text`,
        sql`coalesce(${caseEntry.until}, ${caseEntry.at})
          > ${look.at.toISOString()}::timestamptz - make_interval(secs => ${pauseSeconds})`,
      ),
    )
    .orderBy(desc(caseEntry.at), desc(caseEntry.id))
    .limit(1);
  const { rowCount } = await on
    .update(caseEntry)
    .set({ until: look.at })
    .where(eq(caseEntry.id, last));
  return rowCount === 1;
}

/** Entries of a case that are visible to the viewer, newest first. */
export async function selectEntries(
  on: Executor,
  viewer: Viewer,
  page: {
    readonly caseId: string;
    readonly after: MomentCursor | null;
    readonly limit: number;
  },
) {
  const { after } = page;
  return on
    .select({
      id: caseEntry.id,
      at: caseEntry.at,
      atText: sql<string>`${caseEntry.at}::text`,
      until: caseEntry.until,
      actorId: caseEntry.actorId,
      actor: caseEntry.actor,
      kind: caseEntry.kind,
      deviceId: caseEntry.deviceId,
      deviceName: deviceRecords.name,
      serialNumber: deviceRecords.serialNumber,
      runId: caseEntry.runId,
      reference: caseEntry.reference,
      data: caseEntry.data,
    })
    .from(caseEntry)
    .leftJoin(deviceRecords, eq(deviceRecords.deviceId, caseEntry.deviceId))
    .where(
      and(
        eq(caseEntry.caseId, page.caseId),
        after === null
          ? undefined
          : sql`(${caseEntry.at}, ${caseEntry.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
        isInSight(viewer),
      ),
    )
    .orderBy(desc(caseEntry.at), desc(caseEntry.id))
    .limit(page.limit);
}

/** Excludes entries about devices or commands outside the viewer's scope. */
function isInSight(viewer: Viewer): SQL | undefined {
  const devices = scopesOf(viewer.grants, ['devices:read']);
  const commands = scopesOf(viewer.grants, ['commands:read']);
  return and(
    or(
      isNull(caseEntry.deviceId),
      and(isNotNull(deviceRecords.deviceId), deviceScopeCondition(devices, deviceRecords)),
    ),
    commands.some(isEverywhere)
      ? undefined
      : or(isNull(caseEntry.runId), isRunWithin(commands, caseEntry.runId)),
  );
}

/** Devices of a case within the viewer's scope, most entries first. */
export async function selectDevicesOf(on: Executor, viewer: Viewer, caseId: string) {
  const entries = sql<number>`count(*)::int`;
  return on
    .select({
      id: deviceRecords.deviceId,
      name: deviceRecords.name,
      serialNumber: deviceRecords.serialNumber,
      entries,
    })
    .from(caseEntry)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, caseEntry.deviceId))
    .where(
      and(
        eq(caseEntry.caseId, caseId),
        isNotNull(caseEntry.deviceId),
        deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']), deviceRecords),
      ),
    )
    .groupBy(deviceRecords.deviceId, deviceRecords.name, deviceRecords.serialNumber)
    .orderBy(desc(entries), deviceRecords.name, deviceRecords.deviceId)
    .limit(MAX_DEVICES);
}
