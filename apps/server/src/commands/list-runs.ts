import type { z } from 'zod';
import type { listRunsInput, RunRow } from '@deviceportal/contract/runs';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { listRunPage } from './data/runs/run-queries.ts';
import { runRowOf } from './run-view.ts';

/** Runs within the viewer's scope, newest first. */
export async function listRuns(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listRunsInput>,
): Promise<Page<RunRow>> {
  const { deviceId, documentName, active, failing, endedOn, pageSize } = input;
  const found = await listRunPage(database.orm, scopesOf(viewer.grants, ['commands:read']), {
    filter: {
      ...{ deviceId, documentName, active, failing, endedOn },
      createdById: input.mine ? viewer.userId : null,
      approvableBy: input.awaiting ? viewer : null,
      after: decodeMomentCursor(input.cursor),
    },
    limit: pageSize + 1,
  });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((run) => ({ ...runRowOf(run), createdBy: maskUser(run.createdBy, viewer) })),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.createdAtText, id: last.id }),
  };
}
