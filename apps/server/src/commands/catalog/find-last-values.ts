import type { LastValues } from '@deviceportal/contract/commands';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { findLastRunValues } from '../data/find-last-run-values.ts';

/**
 * Parameter values of a user's last run of a document, without values that were secret then (only masked ones are
 * stored) or are secret now.
 */
export async function findLastValues(
  executor: Executor,
  wanted: {
    readonly userId: string;
    readonly documentName: string;
    readonly secretParameters: readonly string[];
  },
): Promise<LastValues | null> {
  const { userId, documentName, secretParameters: without } = wanted;
  const found = await findLastRunValues(executor, { userId, documentName, without });
  if (found === undefined || Object.keys(found.parameters).length === 0) return null;
  return { parameters: found.parameters, at: isoOf(found.at) };
}
