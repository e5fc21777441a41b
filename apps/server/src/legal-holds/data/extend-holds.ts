import { isNull, sql, type SQL } from 'drizzle-orm';
import { casePeople } from '../../cases/data/case-people.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { personNames } from '../../people/data/person-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import { legalHold, legalHoldSubject } from './legal-holds-tables.ts';

const { holdId, kind, subjectId, isNamed } = legalHoldSubject;

/** What follows from subjects of a kind: kind, ID, and the row that it follows from. */
const derived: readonly SQL[] = [
  sql`select ${holdId}, 'customer', ${casePeople.personId} from ${legalHoldSubject}
    join ${casePeople} on ${kind} = 'case' and ${casePeople.caseId} = ${subjectId}`,
  sql`select ${holdId}, 'owner', ${deviceRecords.ownerId} from ${legalHoldSubject}
    join ${deviceRecords} on ${kind} = 'device' and ${isNamed} and ${deviceRecords.deviceId} = ${subjectId}
    where ${deviceRecords.ownerId} is not null`,
  sql`select ${holdId}, 'user', ${personNames.userId} from ${legalHoldSubject}
    join ${personNames} on ${kind} = 'customer' and ${personNames.personId} = ${subjectId}
    where ${personNames.userId} is not null`,
  sql`select ${holdId}, 'customer', ${personNames.personId} from ${legalHoldSubject}
    join ${personNames} on ${kind} = 'user' and ${personNames.userId} = ${subjectId}`,
  sql`select ${holdId}, 'device', ${deviceRecords.deviceId} from ${legalHoldSubject}
    join ${deviceRecords} on ${kind} = 'customer' and ${deviceRecords.ownerId} = ${subjectId}`,
];

/**
 * Adds what follows from the subjects of standing holds: the customer of a case, the devices of a customer, the customers
 * of a user, and the owner of a device. Devices that a held customer gets later are added by the next call, which
 * precedes every deletion.
 */
export async function extendHolds(tx: Transaction): Promise<void> {
  const standing = sql`select ${legalHold.id} from ${legalHold} where ${isNull(legalHold.endedAt)}`;
  for (const rows of derived) {
    await tx.execute(sql`
      insert into ${legalHoldSubject} (${columnNames(holdId, kind, subjectId, isNamed)})
      select found.hold_id, found.kind, found.id, false
      from (${rows}) found(hold_id, kind, id) where found.hold_id in (${standing})
      on conflict do nothing`);
  }
}
