import {
  pastFindingsInput,
  type FindingCounts,
  type FleetTrend,
  type PastFinding,
} from '@deviceportal/contract/findings';
import { findDevice } from '../devices/find-device.ts';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import { createFindingCounts } from './count-findings.ts';
import { createFleetTrend } from './get-fleet-trend.ts';
import { listPastFindings } from './list-past-findings.ts';

const PAST_SHOWN = 100;

export function createFindingsRouter(deps: {
  readonly database: Database;
  readonly clock: () => Date;
}) {
  const counts = createFindingCounts(deps);
  const trend = createFleetTrend(deps);
  return router({
    counts: permitted('devices:read').query(({ ctx }): Promise<FindingCounts> =>
      counts(ctx.viewer),
    ),
    trend: permitted('devices:read').query(({ ctx }): Promise<FleetTrend> => trend(ctx.viewer)),
    /** Closed findings of a device, newest first. */
    past: permitted('devices:read')
      .input(pastFindingsInput)
      .query(async ({ ctx, input }): Promise<PastFinding[]> => {
        const on = deps.database.orm;
        const id = await findDevice(on, ctx.viewer, {
          reference: input.deviceId,
          permissions: ['devices:read'],
        });
        return listPastFindings(on, ctx.viewer, { deviceId: id, limit: PAST_SHOWN });
      }),
  });
}
