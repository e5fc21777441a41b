import type { EvaluateAlertsDeps } from './alerts-deps.ts';
import { postponeRule, type StoredRule } from './data/rule-queries.ts';

const RETRY_MS = 60_000;

/** Reports a rule that could not be evaluated, and evaluates it again later. */
export async function postponeFailed(
  { database, clock, onError }: EvaluateAlertsDeps,
  { id }: Pick<StoredRule, 'id'>,
  error: unknown,
): Promise<void> {
  onError(error, id);
  await postponeRule(database.orm, id, new Date(clock().getTime() + RETRY_MS));
}
