import type { InvocationRow } from '@deviceportal/contract/invocations';
import { scopesOf } from '@deviceportal/contract/permissions';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findInvocationsById } from '../data/invocation-queries.ts';
import { revealInvocations } from './reveal-invocations.ts';

/** The current state of invocations within the viewer's scope. */
export async function invocationsById(
  { database: { orm }, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<InvocationRow[]> {
  const stored = await findInvocationsById(orm, scopesOf(viewer.grants, ['commands:read']), ids);
  const found = await revealInvocations(orm, vault, stored);
  return found.map(({ row }) => ({ ...row, createdBy: maskUser(row.createdBy, viewer) }));
}
