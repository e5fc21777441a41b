import { performance } from 'node:perf_hooks';
import { until } from '../until.ts';
import type { GooseBitClient } from './goosebit-client.ts';
import type { GooseBitPlace } from './goosebit-place.ts';
import { openGooseBitDatabase } from './open-goosebit-database.ts';
import { softwareImage } from './software-image.ts';

const FINISHED = 5;
let lastVersion = 1;

/**
 * From the creation of a rollout of uploaded software until the success of every device is in the database.
 * @param notify called after the request
 */
export async function rollOut(
  client: GooseBitClient,
  place: GooseBitPlace,
  notify?: () => Promise<unknown>,
): Promise<number> {
  await using database = await openGooseBitDatabase(place);
  const version = `${(lastVersion += 1)}.0.0`;
  const software = await client.upload(`bench-${version}.swu`, softwareImage(version));
  const startedAt = performance.now();
  await client.createRollout(software);
  const notified = notify?.();
  await until(
    async () => {
      const { rows } = await database.client.query<{ left: number }>(
        `select count(*) filter (where sw_version is distinct from $1 or last_state <> ${FINISHED})::int as left from device`,
        [version],
      );
      return rows[0]?.left === 0;
    },
    { what: 'end of the rollout', everyMs: 20 },
  );
  const tookMs = performance.now() - startedAt;
  await notified;
  return tookMs;
}
