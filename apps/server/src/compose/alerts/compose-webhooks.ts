import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnerFinder } from '../../alerts/owner-finder.ts';
import { readObjects } from '../../api/public/objects/read-objects.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { deliverWebhooks } from '../../webhooks/sending/deliver-webhooks.ts';
import { prepareDeliveries } from '../../webhooks/prepare-deliveries.ts';
import type { SendWebhooksDeps } from '../../webhooks/webhooks-deps.ts';
import type { PersonalDataParts } from '../compose-personal-data.ts';
import type { Composition } from '../composition.ts';
import { findScheduleCreator } from '../find-schedule-creator.ts';
import type { WorkerParts } from '../start-polls.ts';
import { composeAlertSending } from './compose-alerts.ts';

const EVERY_MS = 1_000;
/** Pause between rounds while more is waiting, so that requests are not delayed. */
const REST_MS = 50;
/**
 * Each lane sends ten requests at a time. A user has at most ten webhooks, so that their slow receivers leave lanes to
 * others.
 */
const LANES = 3;

/** Prepares and sends webhooks in the background. */
export function composeWebhooks(
  composition: Composition,
  {
    directory,
    vault,
    personalData,
  }: Pick<WorkerParts, 'directory' | 'vault'> & { readonly personalData: PersonalDataParts },
): void {
  const { platform, resources, clock } = composition;
  const { database, changes, logger } = platform;
  const shown = (output: unknown): unknown => personalData.erasingNames.hide(output);
  const findOwner = (createdBySubject: string) =>
    findScheduleCreator({ database, directory, clock }, { createdBySubject });
  const deps: SendWebhooksDeps = {
    ...{ database, clock, changes, alerts: composeAlertSending(composition) },
    findOwner: createOwnerFinder({ clock, findOwner }),
    readObjects: (viewer, wanted) => readObjects({ database, vault, clock, shown }, viewer, wanted),
    onError: (error, webhookId) =>
      logger.warn({ err: error, webhookId }, 'webhook preparation failed'),
  };
  let stopping = false;
  const untilDone = (round: () => Promise<boolean>) => async (): Promise<void> => {
    while (!stopping && (await round())) await sleep(REST_MS);
  };
  const every = (round: () => Promise<boolean>, failed: string): void =>
    void resources.use(
      repeat(untilDone(round), {
        everyMs: EVERY_MS,
        onError: (error) => logger.warn({ err: error }, failed),
      }),
    );
  every(() => prepareDeliveries(deps), 'webhook preparation failed');
  for (let lane = 0; lane < LANES; lane += 1) {
    every(async () => (await deliverWebhooks(deps)) > 0, 'webhook delivery failed');
  }
  // Deferred after the repeated jobs, so that it runs first: stopping does not wait for all requests.
  resources.defer(() => {
    stopping = true;
  });
}
