import { eraseCaseTexts } from '../../cases/data/erase-case-queries.ts';
import { releaseDevices } from '../../devices/data/release-devices.ts';
import { erasePlaces } from '../../locations/data/erase-places.ts';
import { eraseOutbox } from '../../outbox/data/erase-outbox.ts';
import { erasePersonRow, type PersonToErase } from '../../people/data/erase-person-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { eraseReports } from '../../reports/data/erase-reports.ts';
import { eraseWords } from '../../search/data/erase-words.ts';
import { eraseRecentItems } from '../../session/data/erase-recent-items.ts';
import { destroyKeys } from '../data/person-key-queries.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import type { ErasureCounts } from './erase-user.ts';

export interface CustomerErasure extends ErasureCounts {
  /** IDs of the reports whose files are deleted after the commit. */
  readonly reportFiles: readonly string[];
}

/**
 * Erases a customer. Devices and cases are kept without the customer; reports about them and locations of their devices
 * are deleted.
 */
export async function eraseCustomer(
  tx: Transaction,
  person: PersonToErase,
  others: readonly string[] = [],
): Promise<CustomerErasure> {
  const keys = await destroyKeys(tx, [person.id, ...others]);
  const devices = await releaseDevices(tx, person.id);
  const places = await erasePlaces(tx, devices);
  const cases = await eraseCaseTexts(tx, person.id);
  const reportFiles = await eraseReports(tx, person.id);
  await eraseRecentItems(tx, { kind: 'person', itemId: person.id });
  const contacts = [person.email, person.phone].filter((contact) => contact !== null);
  const messages = await eraseOutbox(tx, contacts);
  await erasePersonRow(tx, person.id, pseudonymOf(person.id));
  await eraseWords(tx, [person.name, person.username, person.email].join(' '));
  return {
    changed: devices.length + cases + 1,
    deleted: places + reportFiles.length + messages,
    keys: keys.length,
    reportFiles,
  };
}
