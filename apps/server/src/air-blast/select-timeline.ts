import type { AirBlastMoment } from '@deviceportal/contract/air-blast';
import { openNames } from '../audit-trail/open-personal-fields.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import { selectActs } from './data/result-queries.ts';

/** Every act on a rollout, oldest first. @param shown a name as the viewer may see it */
export async function selectTimeline(
  executor: Executor,
  run: Pick<AirBlastRecord, 'id' | 'createdAt'>,
  shown: (name: string) => string,
): Promise<AirBlastMoment[]> {
  const acts = await selectActs(executor, run);
  const nameOf = await openNames(
    executor,
    acts.map(({ actor }) => actor),
  );
  return acts.map((act) => ({ ...act, at: isoOf(act.at), actor: shown(nameOf(act.actor)) }));
}
