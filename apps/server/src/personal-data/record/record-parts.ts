import { readAccountRecord } from '@deviceportal/identity/read-account-record';
import { ownRowsOf } from '../../access/data/erase-user-queries.ts';
import { caseRowsOf } from '../../cases/data/erase-case-queries.ts';
import { deviceRowsOf, findDeviceIdsOf } from '../../devices/data/release-devices.ts';
import { placeRowsOf } from '../../locations/data/erase-places.ts';
import { personRowsOf } from '../../people/data/erase-person-queries.ts';
import { clientOf, type Transaction } from '../../platform/database/database.ts';
import { reportRowsOf } from '../../reports/data/erase-reports.ts';
import { userRowsOf } from '../data/erase-user-data.ts';
import { readRows, tableNameOf, type PersonRows } from '../data/read-rows.ts';
import type { WholePerson } from '../erase/find-person.ts';
import { nounsWithUsers } from '../nouns-with-users.ts';

/** Rows of one table in a record. */
export interface RecordPart {
  readonly name: string;
  readonly pages: AsyncIterable<readonly unknown[]>;
}

/** All data about a person in the database except the audit trail, by table. */
export async function* recordParts(
  tx: Transaction,
  { user, customers }: WholePerson,
): AsyncGenerator<RecordPart> {
  if (user !== undefined) {
    for (const { table, rows } of await readAccountRecord(clientOf(tx), user.subject)) {
      yield { name: `identity.${table}`, pages: once(rows) };
    }
    yield* partsOf(tx, ownRowsOf(user.id));
    for (const tables of Object.values(nounsWithUsers)) {
      yield* partsOf(tx, userRowsOf(tables, user), tables.secret);
    }
  }
  for (const { id } of customers) {
    const devices = await findDeviceIdsOf(tx, id);
    yield* partsOf(tx, [
      ...personRowsOf(id),
      ...deviceRowsOf(id),
      ...placeRowsOf(devices),
      ...caseRowsOf(id),
      ...reportRowsOf(id),
    ]);
  }
}

function* partsOf(
  tx: Transaction,
  found: readonly PersonRows[],
  secret: Parameters<typeof readRows>[2] = [],
): Generator<RecordPart> {
  for (const rows of found) {
    yield { name: tableNameOf(rows.table), pages: readRows(tx, rows, secret) };
  }
}

export async function* once(rows: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  yield rows;
}
