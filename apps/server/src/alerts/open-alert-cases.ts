import { holds } from '@deviceportal/contract/permissions';
import { openCaseOfAlert } from '../cases/open-case-of-alert.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CountedDevice } from './find-counted-devices.ts';
import { saveAlertCases, type StoredAlert } from './data/alert-queries.ts';

/** An alert about a whole fleet is no case of everyone who owns a device of it. */
const MOST_PEOPLE = 5;

/**
 * Opens cases for the people who own the devices of an alert, if they are few, with the current permissions of the owner
 * of its rule.
 */
export async function openAlertCases(
  tx: Transaction,
  owner: Viewer,
  { alert, devices }: { readonly alert: StoredAlert; readonly devices: readonly CountedDevice[] },
): Promise<void> {
  if (!holds(owner.grants, 'cases:manage')) return;
  const byPerson = Map.groupBy(
    devices.filter(({ ownerId }) => ownerId !== null),
    ({ ownerId }) => String(ownerId),
  );
  const { id: alertId, ruleName: rule, severity, startedAt: at } = alert;
  const caseIds: string[] = [];
  for (const [personId, owned] of [...byPerson].toSorted().slice(0, MOST_PEOPLE)) {
    const caseId = await openCaseOfAlert(tx, owner, {
      personId,
      deviceIds: owned.map(({ id }) => id),
      alert: { alertId, rule, at, isCritical: severity === 'critical' },
    });
    if (caseId !== undefined) caseIds.push(caseId);
  }
  if (caseIds.length > 0) await saveAlertCases(tx, alertId, caseIds);
}
