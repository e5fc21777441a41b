import type { Explanation } from '@deviceportal/contract/explanations';
import { findTargetFacts } from '../air-blast/plan/find-target-facts.ts';
import type { Viewer } from '../platform/viewer.ts';
import { settle, type ExplainDeps } from './explain-deps.ts';
import { explainInvocation } from './explain-invocation.ts';
import { targetReasons } from './target-reasons.ts';

/**
 * Why a device of an AirBlast rollout is not changed.
 * @throws PortalError 2003, 6000
 */
export async function explainTarget(
  deps: ExplainDeps,
  viewer: Viewer,
  target: { readonly id: string; readonly deviceId: string },
): Promise<Explanation> {
  const facts = await findTargetFacts(deps, viewer, target);
  const own = await settle(deps, viewer, targetReasons(facts));
  const sent =
    facts.invocationId === null
      ? []
      : (await explainInvocation(deps, viewer, facts.invocationId)).reasons;
  return { about: null, reasons: [...own, ...sent] };
}
