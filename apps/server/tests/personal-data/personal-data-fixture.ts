import pg from 'pg';
import type { z } from 'zod';
import { newId } from '@deviceportal/contract/ids';
import type { erasePersonInput, PersonErased } from '@deviceportal/contract/personal-data';
import type { UserRow } from '@deviceportal/contract/access';
import { openDatabase } from '../../src/platform/database/database.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { until } from '../support/gateway-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

/** A server with an administrator, and with its database at hand. */
export interface PersonalDataFixture extends AsyncDisposable {
  readonly portal: TestServer;
  readonly admin: AccessFixture;
  readonly pool: pg.Pool;
  /** Every row of every table in which a text stands, whatever its case: `table: row`. */
  find(text: string): Promise<string[]>;
  /** A user with these roles who has signed in. */
  user(address: string, ...roles: readonly string[]): Promise<readonly [UserRow, AccessFixture]>;
  /** A customer with one device. */
  customer(name: string): Promise<{ readonly id: string; readonly deviceId: string }>;
  leave(user: UserRow): Promise<void>;
  /** Erases a person, and waits for the batches that are left to the background. */
  erase(input: z.input<typeof erasePersonInput>): Promise<PersonErased>;
}

export async function createPersonalDataFixture(
  env: Readonly<Record<string, string>> = {},
): Promise<PersonalDataFixture> {
  const portal = await startTestServer([], env);
  const admin = await AccessFixture.open(portal, 'admin');
  const pool = new pg.Pool({ connectionString: portal.installation.databaseUrl, max: 2 });
  return {
    ...{ portal, admin, pool },
    async erase(input) {
      const erased = await admin.done<PersonErased>('personalData.erase', input);
      const isDone = async (): Promise<boolean> => {
        const { rowCount } = await pool.query(
          'select from erasure where round = 1 and ended_at is null',
        );
        return rowCount === 0;
      };
      await until(isDone, 60_000);
      return erased;
    },
    async find(text) {
      const { rows: tables } = await pool.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
         where table_schema in ('public', 'identity', 'jobs') and table_type = 'BASE TABLE'`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const { rows } = await pool.query<{ row: string }>(
          `select t::text as row from ${name} t where strpos(lower(t::text), lower($1)) > 0`,
          [text],
        );
        found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 400)}`));
      }
      return found;
    },
    async user(address, ...roles) {
      const row = await admin.invite(address, ...roles);
      const setup = await AccessFixture.open(portal, address);
      await setup.session();
      return [row, setup];
    },
    async customer(name) {
      const id = newId();
      const username = name.toLowerCase().replaceAll(' ', '.');
      await pool.query(
        `insert into person (id, username, name, email, phone, country)
         values ($1, $2, $3, $4, $5, 'DE')`,
        [id, username, name, `${username}@customer.example`, `+49${Date.now()}`],
      );
      await using database = openDatabase({ url: portal.installation.databaseUrl });
      const [deviceId = ''] = await seedDevices(database, [{ name: 'tablet' }]);
      await pool.query('update device set owner_id = $1, search_text = lower($2) where id = $3', [
        id,
        name,
        deviceId,
      ]);
      await pool.query(
        `insert into geolocation (device_id, at, latitude, longitude, accuracy_meters, source)
         values ($1, now(), 52.5, 13.4, 10, 'gps')`,
        [deviceId],
      );
      return { id, deviceId };
    },
    async leave({ id }) {
      await admin.done('access.users.changeStatus', { id, act: 'resign', reason: '' });
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await portal[Symbol.asyncDispose]();
    },
  };
}
