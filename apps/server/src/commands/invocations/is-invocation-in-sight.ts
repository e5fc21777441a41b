import { sql } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { selectInvocations } from './invocation-store.ts';

/** Whether a viewer may see an invocation, and so the files that it collected. */
export async function isInvocationInSight(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  invocationId: string,
): Promise<boolean> {
  const rows = await selectInvocations(database.orm, vault, {
    scopes: scopesOf(viewer.grants, ['commands:read']),
    where: sql`i.id = ${invocationId}`,
    order: sql`i.id`,
    limit: 1,
    withSteps: false,
  });
  return rows.length > 0;
}
