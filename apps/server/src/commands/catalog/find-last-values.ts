import type { LastValues } from '@deviceportal/contract/commands';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { findLastRunValues } from '../data/find-last-run-values.ts';

/**
 * The values with which a user last ran a document. Values that were secret then, of which only masked ones are stored,
 * and those that are secret now are left out.
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
