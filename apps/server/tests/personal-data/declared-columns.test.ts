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
  'claim.owner_id': 'claimOwnerWalk',
  'device.owner_id': 'releaseDevices',
  'device_file_request.username': 'in rows of their user, which are deleted',
  'device_instance.ip_address': 'of a device that belongs to no person any more',
  'device_status.ip_address': 'of a device that belongs to no person any more',
  'access_grant.user_id': 'an id',
  'alert_manual_message.address': 'deleted after a day, and in rows of their user',
  'access_review.started_by_id': 'an id',
  'access_review_line.decided_by_id': 'an id',
  'api_token.created_by_id': 'an id',
  'api_token.last_used_address': 'in rows of their owner, which are deleted, or of a service',
  'api_token_address.address': 'in rows of their owner, which are deleted, or of a service',
  'device_authorization.address': 'deleted soon after it expires, and in rows of their user',
  'scim_connection.created_by_id': 'an id',
  'erasure.user_id': 'an id',
  'held_erasure.requested_by_id': 'an id',
  'legal_hold.ended_by_id': 'an id',
  'legal_hold.release_requested_by_id': 'an id',
  'legal_hold.set_by_id': 'an id',
  'notification.subject': 'ids of what it is about',
  'outbox_message.recipient': 'outboxWalk',
  'outbox_message.subject': 'outboxWalk',
  'outgoing_message.person': 'messageWalk',
  'person.email': 'erasePersonRow',
  'person.phone': 'erasePersonRow',
  'person.user_id': 'erasePersonRow',
  'person.username': 'erasePersonRow',
  'person_key.person': 'an id',
  'person_search.person_id': 'an id',
  'portal_user.email': 'eraseUserRow',
  'portal_user.phone': 'eraseUserRow',
  'portal_user.subject': 'an id',
  'portal_user.username': 'eraseUserRow',
  'report.created_by_subject': 'an id',
  'report.person_id': 'eraseSomeReports',
  'run_schedule.created_by_subject': 'an id',
  'support_case.person_id': 'an id',
  'target_list.created_by': 'an id',
  'terminal_session.ended_by_id': 'an id',
  'terminal_watcher.username': 'in rows of their user, which are deleted',
  'web_page_session.ended_by_id': 'an id',
};

const nameOf = (column: PgColumn): string => `${getTableConfig(column.table).name}.${column.name}`;

test('every column that can contain the name of a person is erased, or listed here with a reason', async () => {
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

/** Columns of the identity service that belong to no account, or are deleted by a statement of `eraseAccount`. */
const ofAccounts: Readonly<Record<string, string>> = {
  'access_key.name': 'of an application',
  'account_guess.subject': 'a random ID with a count of wrong codes',
  'app_client.name': 'of an application',
  'identity_login.subject': 'eraseAccount',
  'key_pair.clear_key': 'of the installation',
  'key_pair.sealed_key': 'of the installation',
  'migration.name': 'of a release',
  'provider_application.name': 'of an application',
  'provider_custom_value.key': 'of a field',
  'provider_custom_value.target_id': 'eraseAccount',
  'provider_department.name': 'of a department',
  'provider_grant.principal_id': 'eraseAccount',
  'provider_organization.name': 'of an organization',
  'refresh_token.sub': 'eraseAccount',
  'user_group.name': 'of a group',
};

test('every column of the identity service that can name a person is deleted with the account', async () => {
  const { rows } = await portal.database.pool.query<{ column: string }>(`
    with recursive owned(oid) as (
      select 'identity.account'::regclass::oid
      union select k.conrelid from pg_constraint k join owned on k.confrelid = owned.oid
      where k.contype = 'f' and k.confdeltype = 'c')
    select t.relname || '.' || a.attname as "column"
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relnamespace = 'identity'::regnamespace and t.relkind = 'r' and t.oid not in (select oid from owned)
      and a.attname ~ '(^|_)(by|author|actor|username|nickname|name|user|sub|subject|user_id|account_id|principal_id|target_id|email|phone|phone_number|address|ip|ip_address|recipient|contact|destination|key)$'
    order by 1`);
  expect(rows.map(({ column }) => column)).toEqual(Object.keys(ofAccounts).toSorted());
});
