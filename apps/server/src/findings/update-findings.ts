import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../platform/database/database.ts';
import { loadFacts } from './device-facts.ts';
import type { RuleSettings } from './finding-rule.ts';
import {
  closeFindings,
  loadOpenFindings,
  refreshSortKeys,
  saveChecks,
  saveFindings,
  type OpenFinding,
} from './data/finding-queries.ts';
import { evaluateFindings } from './evaluate-findings.ts';

/** Rows per statement. */
const BATCH_SIZE = 500;

/**
 * Updates the stored findings of devices to the current results of the rules.
 *
 * @returns the devices whose findings changed
 */
export async function updateFindings(
  tx: Transaction,
  deviceIds: readonly string[],
  round: { readonly now: Date; readonly settings: RuleSettings },
): Promise<string[]> {
  const changed: string[] = [];
  for (let at = 0; at < deviceIds.length; at += BATCH_SIZE) {
    changed.push(...(await updateBatch(tx, deviceIds.slice(at, at + BATCH_SIZE), round)));
  }
  return changed;
}

async function updateBatch(
  tx: Transaction,
  deviceIds: readonly string[],
  { now, settings }: { readonly now: Date; readonly settings: RuleSettings },
): Promise<string[]> {
  const facts = await loadFacts(tx, deviceIds);
  const open = new Map((await loadOpenFindings(tx, deviceIds)).map((each) => [keyOf(each), each]));
  const evaluated = facts.map((device) => ({
    deviceId: device.deviceId,
    ...evaluateFindings(device, now, settings),
  }));
  const wanted = evaluated.flatMap(({ deviceId, findings }) =>
    findings.map(({ rule, severity, facts: ruleFacts, since }): OpenFinding => ({
      ...{ deviceId, rule, severity, facts: ruleFacts },
      openedAt: open.get(keyOf({ deviceId, rule }))?.openedAt ?? since,
    })),
  );
  const holds = new Set(wanted.map(keyOf));
  const over = [...open.values()].filter((each) => !holds.has(keyOf(each)));
  const fresh = wanted.filter((each) => !isDeepStrictEqual(open.get(keyOf(each)), each));
  await closeFindings(tx, over, now);
  await refreshSortKeys(tx, deviceIds);
  await saveFindings(tx, fresh);
  await saveChecks(tx, evaluated);
  return [...new Set([...over, ...fresh].map(({ deviceId }) => deviceId))];
}

const keyOf = ({ deviceId, rule }: Pick<OpenFinding, 'deviceId' | 'rule'>): string =>
  `${deviceId} ${rule}`;
