import type { Explanation } from '@deviceportal/contract/explanations';
import { findInvocationFacts } from '../commands/invocations/find-invocation-facts.ts';
import { permissionsToRun } from '../commands/run-policy.ts';
import { runnableOf } from '../commands/runnable-of-run.ts';
import type { Viewer } from '../platform/viewer.ts';
import { settle, type ExplainDeps } from './explain-deps.ts';
import { invocationReasons } from './invocation-reasons.ts';

/** @throws PortalError 5000 if there is no such invocation within the viewer's scope */
export async function explainInvocation(
  deps: ExplainDeps,
  viewer: Viewer,
  id: string,
): Promise<Explanation> {
  const facts = await findInvocationFacts(deps, viewer, id);
  const toRun = permissionsToRun(await runnableOf(deps.database.orm, facts));
  return {
    about: null,
    reasons: await settle(deps, viewer, invocationReasons(facts, { toRun }, deps.clock())),
  };
}
