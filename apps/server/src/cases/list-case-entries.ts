import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { CaseEntry, CaseRun, listCaseEntriesInput } from '@deviceportal/contract/cases';
import type { Page } from '@deviceportal/contract/pages';
import { holds, scopesOf } from '@deviceportal/contract/permissions';
import { runsById } from '../commands/runs-by-id.ts';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import { maskUser } from '../people/mask-person.ts';
import {
  decodeMomentCursor,
  encodeMomentCursor,
  isoOf,
  isoOrNull,
} from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CasesDeps } from './cases-deps.ts';
import { entryData } from './entry-data.ts';
import { getCase } from './get-case.ts';

interface RawEntry extends Omit<CaseEntry, 'run' | 'mine'>, Record<string, unknown> {
  readonly actorId: string;
  readonly atText: string;
}

/**
 * What happened in a case, newest first. What speaks of devices or commands outside the viewer's scope does not
 * exist for them.
 *
 * @throws PortalError notFound (2003) also when its person lies outside the viewer's scope
 */
export async function listCaseEntries(
  deps: Pick<CasesDeps, 'database' | 'vault'>,
  viewer: Viewer,
  input: z.infer<typeof listCaseEntriesInput>,
): Promise<Page<CaseEntry>> {
  await getCase(deps, viewer, input.caseId);
  const after = decodeMomentCursor(input.cursor);
  const behind =
    after === null ? sql`true` : sql`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await deps.database.orm.execute<RawEntry>(sql`
    select e.id, e.at, e.at::text as "atText", e.until, e.actor_id as "actorId", e.actor, e.kind,
      e.device_id as "deviceId", d.name as "deviceName", d.serial_number as "serialNumber", e.run_id as "runId",
      e.reference, e.data
    from case_entry e left join device d on d.id = e.device_id
    where e.case_id = ${input.caseId} and ${behind} and ${inSight(viewer)}
    order by e.at desc, e.id desc limit ${input.pageSize + 1}`);
  const page = rows.slice(0, input.pageSize);
  const last = rows.length > input.pageSize ? page.at(-1) : undefined;
  const runs = await runsOf(deps, viewer, page);
  return {
    rows: page.map((raw) => entryOf(raw, viewer, runs)),
    nextCursor: last === undefined ? null : encodeMomentCursor({ at: last.atText, id: last.id }),
  };
}

function inSight(viewer: Viewer): SQL {
  const devices = scopesOf(viewer.grants, ['devices:read']);
  const commands = scopesOf(viewer.grants, ['commands:read']);
  const ofDevice = sql`(e.device_id is null or (d.id is not null and ${deviceScopeCondition(devices)}))`;
  if (commands.some(isEverywhere)) return ofDevice;
  return sql`${ofDevice} and (e.run_id is null or exists (
    select from invocation i join device target on target.id = i.device_id
    where i.run_id = e.run_id and ${deviceScopeCondition(commands, sql.raw('target'))}))`;
}

async function runsOf(
  deps: Pick<CasesDeps, 'database' | 'vault'>,
  viewer: Viewer,
  page: readonly RawEntry[],
): Promise<ReadonlyMap<string, CaseRun>> {
  const ids = page.flatMap(({ kind, runId }) => (kind === 'command' && runId ? [runId] : []));
  if (ids.length === 0 || !holds(viewer.grants, 'commands:read')) return new Map();
  const found = await runsById(deps, viewer, ids);
  return new Map(
    found.map(({ run, result }) => {
      const { command, state, statusDetails, parameters, counters, invocationId, endedAt } = run;
      const shown = { command, state, statusDetails, parameters, counters, invocationId, endedAt };
      const answer = {
        responseCode: result?.responseCode ?? null,
        output: result?.outputPreview ?? '',
      };
      return [run.id, { ...shown, ...answer }];
    }),
  );
}

function entryOf(raw: RawEntry, viewer: Viewer, runs: ReadonlyMap<string, CaseRun>): CaseEntry {
  const { actorId, atText: _text, ...entry } = raw;
  return {
    ...entry,
    data: entryData(entry.data, viewer),
    at: isoOf(entry.at),
    until: isoOrNull(entry.until),
    actor: maskUser(entry.actor, viewer),
    mine: actorId === viewer.userId,
    run: (entry.kind === 'command' && entry.runId !== null && runs.get(entry.runId)) || null,
  };
}
