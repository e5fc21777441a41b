import { endDueAccessGrants } from '../access/access-grants/end-access-grants.ts';
import { syncUsers } from '../access/users/sync-users.ts';
import type { AirBlastDeps } from '../air-blast/air-blast-deps.ts';
import { advanceAirBlasts } from '../air-blast/steps/advance-air-blast.ts';
import { fireSchedules } from '../commands/schedules/fire-schedules.ts';
import { createAnnouncer } from '../notifications/announce-notifications.ts';
import { sendNotices } from '../notifications/send-notices.ts';
import { repeat } from '../platform/process/repeat.ts';
import { restateDevices } from '../versions/restate-devices.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { IdentityParts } from './compose-identity.ts';
import type { Composition } from './composition.ts';
import { findScheduleCreator } from './find-schedule-creator.ts';

const FIRE_EVERY_MS = 1_000;
/** Polling interval for rollouts whose wave has finished. */
const AIR_BLAST_EVERY_MS = 1_000;
const NOTICES_EVERY_MS = 1_000;
/** Polling interval for updating the devices of a version. Stopping waits for one round. */
const RESTATE_EVERY_MS = 1_000;
const RESTATE_LIMIT_MS = 3_000;
/** Polling interval for changes made in the user pool itself. */
const USERS_EVERY_MS = 60_000;
/** Polling interval for expired permissions, to record them and update screens. */
const ACCESS_GRANTS_EVERY_MS = 1_000;

export type WorkerParts = IdentityParts &
  Pick<SharedSecrets, 'vault' | 'parameters'> & { readonly airBlast: AirBlastDeps };

/** What is polled for: rollouts and schedules that are due, temporary access that ends, notifications to send. */
export function startPolls(
  { platform, resources, clock }: Composition,
  { directory, notices, vault, parameters, airBlast }: WorkerParts,
): void {
  const { database, changes, logger, publicUrl } = platform;
  const announce = createAnnouncer({ database, changes });
  resources.use(
    repeat(
      () =>
        advanceAirBlasts(airBlast, (error, id) =>
          logger.warn({ err: error, airBlast: id }, 'AirBlast advance failed'),
        ),
      {
        everyMs: AIR_BLAST_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'AirBlast poll failed'),
      },
    ),
  );
  resources.use(
    repeat(
      () =>
        fireSchedules({
          database,
          changes,
          clock,
          vault,
          signing: airBlast.signing,
          sendNew: airBlast.sendNew,
          parameters,
          findCreator: (creator) => findScheduleCreator({ database, directory, clock }, creator),
        }),
      {
        everyMs: FIRE_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'schedule poll failed'),
      },
    ),
  );
  resources.use(
    repeat(async () => void (await restateDevices({ database }, { limitMs: RESTATE_LIMIT_MS })), {
      everyMs: RESTATE_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'device version status update failed'),
    }),
  );
  resources.use(
    repeat(() => syncUsers({ database, directory }), {
      everyMs: USERS_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'user pool sync failed'),
    }),
  );
  resources.use(
    repeat(() => endDueAccessGrants({ database, changes }), {
      everyMs: ACCESS_GRANTS_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'access grant poll failed'),
    }),
  );
  resources.use(
    repeat(
      async () => {
        await announce();
        await sendNotices({ database, notices, publicUrl });
      },
      {
        everyMs: NOTICES_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'notification delivery failed'),
      },
    ),
  );
}
