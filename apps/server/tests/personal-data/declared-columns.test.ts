import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nounsWithUsers } from '../../src/personal-data/nouns-with-users.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let portal: TestDatabase;

beforeAll(async () => {
  portal = await createTestDatabase();
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Columns that are erased by a function of their own, or say nothing of a person. */
const others: Readonly<Record<string, string>> = {
  'audit_event.actor_address': 'sealed with the key of the person',
  'audit_event.actor_id': 'an id',
  'audit_event.actor_name': 'sealed with the key of the person',
  'claim.owner_id': 'releaseDevices',
  'device.owner_id': 'releaseDevices',
  'device_instance.ip_address': 'of a device that belongs to no person any more',
  'device_status.ip_address': 'of a device that belongs to no person any more',
  'access_grant.user_id': 'an id',
  'notification.subject': 'ids of what it is about',
  'outbox_message.recipient': 'eraseOutbox',
  'outbox_message.subject': 'eraseOutbox',
  'outgoing_message.person': 'eraseMessages',
  'person.email': 'erasePersonRow',
  'person.phone': 'erasePersonRow',
  'person.user_id': 'erasePersonRow',
  'person.username': 'erasePersonRow',
  'person_key.person': 'an id',
  'portal_user.email': 'eraseUserRow',
  'portal_user.phone': 'eraseUserRow',
  'portal_user.subject': 'an id',
  'portal_user.username': 'eraseUserRow',
  'report.created_by_subject': 'an id',
  'report.person_id': 'eraseReports',
  'run_schedule.created_by_subject': 'an id',
  'support_case.person_id': 'an id',
  'target_list.created_by': 'an id',
};

const nameOf = (column: PgColumn): string => `${getTableConfig(column.table).name}.${column.name}`;

test('every column that can name a person is erased, or stands here with its reason', async () => {
  const { rows } = await portal.database.pool.query<{ column: string }>(`
    select table_name || '.' || column_name as "column" from information_schema.columns c
    join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace
    where table_schema = 'public' and t.relkind in ('r', 'p') and not t.relispartition
      and column_name ~ '(^|_)(by|author|actor|operator|username|user|user_id|by_id|by_name|author_id|actor_id|actor_name|owner_id|person|person_id|subject|email|phone|address|actor_address|recipient)$'
    order by 1`);
  const declared = new Set(
    Object.values(nounsWithUsers)
      .flatMap(({ names = [], own = [] }) => [
        ...names.flatMap(({ name, id, also = [] }) => [name, ...(id ? [id] : []), ...also]),
        ...own.map(({ id }) => id),
      ])
      .map(nameOf),
  );
  const forgotten = rows.map(({ column }) => column).filter((column) => !declared.has(column));
  expect(forgotten).toEqual(Object.keys(others).toSorted());
});
