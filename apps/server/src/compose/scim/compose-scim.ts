import { registerScimRoutes } from '../../access/scim/scim-routes.ts';
import { countOpenRollouts } from '../../air-blast/data/rollout-queries.ts';
import { countActiveSchedules } from '../../commands/data/schedule-queries.ts';
import { stopQueued } from '../../commands/execution/stop-queued.ts';
import type { IdentityParts } from '../compose-identity.ts';
import type { Composition } from '../composition.ts';

/** `/scim/v2`: directories create, change, and suspend users. */
export function composeScim(
  { platform, clock }: Composition,
  { directory }: Pick<IdentityParts, 'directory'>,
): void {
  const { database, changes, http, logger, publicUrl } = platform;
  registerScimRoutes(http, {
    ...{ database, directory, clock, logger, publicUrl },
    stopQueued: (caller, userId) => stopQueued({ database, changes }, caller, userId),
    countOpenWork: async (tx, userId) => ({
      schedules: await countActiveSchedules(tx, userId),
      rollouts: await countOpenRollouts(tx, userId),
    }),
  });
}
