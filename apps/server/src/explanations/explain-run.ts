import type { Explanation } from '@deviceportal/contract/explanations';
import { findRunFacts } from '../commands/find-run-facts.ts';
import { permissionsToRun } from '../commands/run-policy.ts';
import { runnableOf } from '../commands/runnable-of-run.ts';
import type { Viewer } from '../platform/viewer.ts';
import { settle, type ExplainDeps } from './explain-deps.ts';
import { runReasons } from './run-reasons.ts';

/** @throws PortalError 5000 if there is no such run within the viewer's scope */
export async function explainRun(
  deps: ExplainDeps,
  viewer: Viewer,
  id: string,
): Promise<Explanation> {
  const facts = await findRunFacts(deps, viewer, id);
  const toRun = permissionsToRun(await runnableOf(deps.database.orm, facts.run));
  return { about: null, reasons: await settle(deps, viewer, runReasons(facts, { toRun })) };
}
