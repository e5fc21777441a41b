import { setTimeout as sleep } from 'node:timers/promises';
import type { Composition } from './composition.ts';
import { countPlaces } from '../locations/count-places.ts';
import { repeat } from '../platform/process/repeat.ts';

const EVERY_MS = 1_000;
/** A rest after each round of a long count: it must not keep requests waiting. */
const REST_MS = 100;

/** What keeps the counters of the map true, beside the requests. */
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
        onError: (error) => logger.warn({ err: error }, 'places were not counted'),
      },
    ),
  );
  // Before the line above waits for its round: a stop does not wait for a count of all.
  resources.defer(() => {
    stopping = true;
  });
}
