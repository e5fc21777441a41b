import type { AirBlastMoment } from '@deviceportal/contract/air-blast';
import { openNames } from '../audit-trail/open-personal-fields.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import { selectRolloutEvents } from './data/result-queries.ts';

/** The actions on a rollout, oldest first. @param shown masks a name that the viewer cannot see */
export async function selectTimeline(
  executor: Executor,
  run: Pick<AirBlastRecord, 'id' | 'createdAt'>,
  shown: (name: string) => string,
): Promise<AirBlastMoment[]> {
  const acts = await selectRolloutEvents(executor, run);
  const textOf = ({ actor, actorId }: (typeof acts)[number]) => ({ text: actor, userId: actorId });
  const opened = await openNames(executor, acts.map(textOf));
  return acts.map(({ actorId, ...act }) => ({
    ...act,
    at: isoOf(act.at),
    actor: shown(opened(textOf({ ...act, actorId }))),
  }));
}
