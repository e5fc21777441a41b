import { scopesOf } from '@deviceportal/contract/permissions';
import type { ComponentSummary } from '@deviceportal/contract/versions';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readComponents } from './data/installed-queries.ts';

/** Components that are registered or reported by devices within scope, most widespread first. */
export async function listComponents(
  deps: { readonly database: Database },
  viewer: Viewer,
): Promise<readonly ComponentSummary[]> {
  return readComponents(deps.database.orm, scopesOf(viewer.grants, ['versions:read']));
}
