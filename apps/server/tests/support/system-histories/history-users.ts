import { newId } from '@deviceportal/contract/ids';
import type { Database } from '../../../src/platform/database/database.ts';
import { seedDevices } from '../gateway-fixture.ts';
import { PEOPLE, type History } from './history.ts';
import type { LossyBroker } from './lossy-broker.ts';
import { SystemDevice } from './system-device.ts';

export interface SystemPerson {
  readonly id: string;
  readonly subject: string;
  readonly username: string;
}

/** The users and devices of a history. */
export interface HistoryUsers {
  readonly history: History;
  readonly people: readonly SystemPerson[];
  readonly devices: readonly SystemDevice[];
}

const roleOf: Readonly<Record<(typeof PEOPLE)[number], string>> = {
  operator: 'Operator',
  colleague: 'Operator',
  administrator: 'Administrator',
  reviewer: 'Administrator',
  newcomer: 'Viewer',
};

/** Inserts all users and devices in a few statements, for any number of histories. */
export async function createHistoryUsers(
  database: Database,
  histories: readonly History[],
  broker: LossyBroker,
): Promise<HistoryUsers[]> {
  const casts = histories.map((history, index): HistoryUsers => ({
    history,
    people: PEOPLE.map((name) => {
      const id = newId();
      return { id, subject: id, username: `${name}-${index}` };
    }),
    devices: history.devices.map((traits) => new SystemDevice(newId(), traits, broker)),
  }));
  await seedPeople(database, casts);
  const devices = casts.flatMap((cast) => cast.devices);
  for (const device of devices) broker.add(device.deviceId, device);
  await seedDevices(
    database,
    devices.map(({ deviceId, instanceId }, index) => ({
      ...{ deviceId, instanceId },
      name: `device ${index}`,
    })),
  );
  await database.pool.query(
    `update device set serial_number = upper(id::text), serial_rank = upper(id::text)`,
  );
  return casts;
}

async function seedPeople({ pool }: Database, casts: readonly HistoryUsers[]): Promise<void> {
  const rows = casts.flatMap(({ people }) =>
    people.map((person, place) => ({ ...person, role: roleOf[PEOPLE[place] ?? 'newcomer'] })),
  );
  // A permanent user, because the last administrator cannot leave.
  rows.push({ id: newId(), subject: 'root', username: 'root', role: 'Administrator' });
  const input = `jsonb_to_recordset($1::jsonb) as p(id uuid, subject text, username text, role text)`;
  await pool.query(
    `insert into portal_user (id, subject, username, name, admitted_at)
     select id, subject, username, username, portal_now() from ${input}`,
    [JSON.stringify(rows)],
  );
  await pool.query(
    `insert into user_role (user_id, role_id) select p.id, role.id from ${input} join role on role.name = p.role`,
    [JSON.stringify(rows)],
  );
}
