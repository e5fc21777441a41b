import type { Database } from '../platform/database/database.ts';
import { saveUnchangedEvaluations } from './data/rule-queries.ts';
import type { MeasuredRule } from './measured-rule.ts';
import { nextOfMeasurement } from './next-of-measurement.ts';

/**
 * Saves the measurements that change neither the state of a rule nor an alert, in one statement.
 * @returns the others
 */
export async function saveUnchanged(
  { orm }: Pick<Database, 'orm'>,
  measured: readonly MeasuredRule[],
): Promise<readonly MeasuredRule[]> {
  const unchanged = measured.filter(isUnchanged);
  await saveUnchangedEvaluations(
    orm,
    unchanged.flatMap(({ rule, now, measurement }) =>
      measurement === null
        ? []
        : [
            {
              rule,
              now,
              ...measurement.counts,
              nextAt: nextOfMeasurement(rule, measurement, now).nextAt,
            },
          ],
    ),
  );
  return measured.filter((each) => !unchanged.includes(each));
}

function isUnchanged({ rule, now, measurement }: MeasuredRule): boolean {
  if (measurement === null || rule.problem !== null || rule.noticesPausedUntil !== null)
    return false;
  const { step } = nextOfMeasurement(rule, measurement, now);
  if (step.change !== null || step.phase !== rule.phase) return false;
  const { matching, total } = measurement.counts;
  // A firing alert has the counts of its rule.
  const isOpen = rule.phase === 'firing' || rule.phase === 'recovering';
  return !isOpen || (rule.matching === matching && rule.total === total);
}
