import type { Reason } from '@deviceportal/contract/explanations';
import { findRoles } from '../access/data/role-queries.ts';
import type { AirBlastDeps } from '../air-blast/air-blast-deps.ts';
import type { Viewer } from '../platform/viewer.ts';
import { resolveReasons, type ReasonDraft } from './reason-draft.ts';

/** Dependencies of the facts that each domain provides. */
export type ExplainDeps = AirBlastDeps;

/** Roles are read only if the viewer lacks a permission. */
export async function settle(
  { database }: Pick<ExplainDeps, 'database'>,
  { grants }: Viewer,
  sketches: readonly ReasonDraft[],
): Promise<Reason[]> {
  const reasons = resolveReasons(sketches, { grants, roles: [] });
  if (reasons.every(({ act }) => act === null || act.lacks === null)) return reasons;
  return resolveReasons(sketches, { grants, roles: await findRoles(database.orm) });
}
