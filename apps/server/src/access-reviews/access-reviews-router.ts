import {
  accessReviewReference,
  decideReviewLinesInput,
  listReviewLinesInput,
  startAccessReviewInput,
  type AccessReviewRow,
  type ReviewExport,
  type ReviewLinePage,
} from '@deviceportal/contract/access-reviews';
import { permitted, router } from '../platform/api.ts';
import type { AccessReviewsDeps } from './access-reviews-deps.ts';
import { listReviews, requireReview } from './data/review-queries.ts';
import { decideLines } from './decide-lines.ts';
import { exportReview } from './export-review.ts';
import { listLines } from './list-lines.ts';
import { maskStarter } from './mask-starter.ts';
import { startReview } from './start-review.ts';

export function createAccessReviewsRouter(deps: AccessReviewsDeps) {
  return router({
    list: permitted('access:read').query(async ({ ctx }): Promise<AccessReviewRow[]> =>
      (await listReviews(deps.database.orm)).map((review) => maskStarter(review, ctx.viewer)),
    ),
    get: permitted('access:read')
      .input(accessReviewReference)
      .query(async ({ ctx, input }): Promise<AccessReviewRow> =>
        maskStarter(await requireReview(deps.database.orm, input.id), ctx.viewer),
      ),
    lines: permitted('access:read')
      .input(listReviewLinesInput)
      .query(({ ctx, input }): Promise<ReviewLinePage> => listLines(deps, ctx.viewer, input)),
    start: permitted('access:manage')
      .input(startAccessReviewInput)
      .mutation(({ ctx, input }): Promise<{ readonly id: string }> =>
        startReview(deps, ctx, input),
      ),
    decide: permitted('access:manage')
      .input(decideReviewLinesInput)
      .mutation(({ ctx, input }): Promise<{ readonly decided: number }> =>
        decideLines(deps, ctx, input),
      ),
    export: permitted('access:read', 'reveals-personal-data')
      .input(accessReviewReference)
      .mutation(({ ctx, input }): Promise<ReviewExport> => exportReview(deps, ctx, input.id)),
  });
}
