import { explainInput, type Explanation } from '@deviceportal/contract/explanations';
import { permitted, router } from '../platform/api.ts';
import { explain } from './explain.ts';
import type { ExplainDeps } from './explain-deps.ts';

export function createExplanationsRouter(deps: ExplainDeps) {
  return router({
    // The permission depends on the kind of thing, so the use-case checks it.
    explain: permitted('signed-in')
      .input(explainInput)
      .query(({ ctx, input }): Promise<readonly Explanation[]> => explain(deps, ctx.viewer, input)),
  });
}
