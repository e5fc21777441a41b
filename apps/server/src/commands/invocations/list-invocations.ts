import type { z } from 'zod';
import type { InvocationRow, listInvocationsInput } from '@deviceportal/contract/invocations';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { decodeMomentCursor, encodeMomentCursor } from '../../platform/moment-cursor.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { listInvocationPage } from '../data/invocation-queries.ts';
import { revealInvocations } from './reveal-invocations.ts';

/** Invocations within the viewer's scope, newest first. */
export async function listInvocations(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  input: z.infer<typeof listInvocationsInput>,
): Promise<Page<InvocationRow>> {
  const { runId, deviceId, states, queuedBefore = null, pageSize } = input;
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const stored = await listInvocationPage(database.orm, scopes, {
    filter: { runId, deviceId, states, queuedBefore, after: decodeMomentCursor(input.cursor) },
    limit: pageSize + 1,
  });
  const found = await revealInvocations(database.orm, vault, stored);
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ row }) => ({ ...row, createdBy: maskUser(row.createdBy, viewer) })),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.queuedAtText, id: last.row.id }),
  };
}
