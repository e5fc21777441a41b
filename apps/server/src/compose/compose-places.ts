import { setTimeout as sleep } from 'node:timers/promises';
import type { Composition } from './composition.ts';
import { countPlaces } from '../locations/count-places.ts';
import { repeat } from '../platform/process/repeat.ts';

const EVERY_MS = 1_000;
/** Pause between batches of a full count, so that requests are not delayed. */
const REST_MS = 100;

/** Updates the counters of the map in the background. */
export function composePlaces({ platform, resources, clock }: Composition): void {
  const { database, logger } = platform;
  let stopping = false;
  resources.use(
    repeat(
      async () => {
        while (!stopping && (await countPlaces({ database, clock }))) await sleep(REST_MS);
      },
      {
        everyMs: EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'location count failed'),
      },
    ),
  );
  // Deferred after the repeated job, so that it runs first: stopping does not wait for a full
  // count.
  resources.defer(() => {
    stopping = true;
  });
}
