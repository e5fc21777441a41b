import type { z } from 'zod';
import type { CaseEntry, CaseRun, listCaseEntriesInput } from '@deviceportal/contract/cases';
import type { Page } from '@deviceportal/contract/pages';
import { holds } from '@deviceportal/contract/permissions';
import { runsById } from '../commands/runs-by-id.ts';
import { maskUser } from '../people/mask-person.ts';
import { decodeMomentCursor, encodeMomentCursor, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CasesDeps } from './cases-deps.ts';
import { selectEntries, type StoredEntry } from './data/case-entry-queries.ts';
import { entryData } from './entry-data.ts';
import { getCase } from './get-case.ts';

/**
 * Entries of a case, newest first, without those about devices or commands outside the viewer's scope.
 *
 * @throws PortalError notFound (2003), also if its person is outside the viewer's scope
 */
export async function listCaseEntries(
  deps: Pick<CasesDeps, 'database' | 'vault'>,
  viewer: Viewer,
  input: z.infer<typeof listCaseEntriesInput>,
): Promise<Page<CaseEntry>> {
  await getCase(deps, viewer, input.caseId);
  const rows = await selectEntries(deps.database.orm, viewer, {
    caseId: input.caseId,
    after: decodeMomentCursor(input.cursor),
    limit: input.pageSize + 1,
  });
  const page = rows.slice(0, input.pageSize);
  const last = rows.length > input.pageSize ? page.at(-1) : undefined;
  const runs = await runsOf(deps, viewer, page);
  return {
    rows: page.map((raw) => entryOf(raw, viewer, runs)),
    nextCursor: last === undefined ? null : encodeMomentCursor({ at: last.atText, id: last.id }),
  };
}

async function runsOf(
  deps: Pick<CasesDeps, 'database' | 'vault'>,
  viewer: Viewer,
  page: readonly StoredEntry[],
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

function entryOf(raw: StoredEntry, viewer: Viewer, runs: ReadonlyMap<string, CaseRun>): CaseEntry {
  const { actorId, atText: _text, ...entry } = raw;
  return {
    ...entry,
    data: entryData(entry.data, viewer),
    at: entry.at.toISOString(),
    until: isoOrNull(entry.until),
    actor: maskUser(entry.actor, viewer),
    mine: actorId === viewer.userId,
    run: (entry.kind === 'command' && entry.runId !== null && runs.get(entry.runId)) || null,
  };
}
