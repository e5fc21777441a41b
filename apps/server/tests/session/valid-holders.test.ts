import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, type Grant } from '@deviceportal/contract/permissions';
import { validHolderFinder } from '../../src/compose/person-links/valid-holder-finder.ts';
import { digestOfGrant } from '../../src/platform/digest-of-grant.ts';
import type { LinkHolder } from '../../src/platform/person-links.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const grant: Grant = { permissions: ['web-pages:open'], scope: everywhere };
const roleId = newId();
let portal: TestDatabase;

beforeAll(async () => {
  portal = await createTestDatabase();
  await portal.database.orm.execute(sql`
    insert into role (id, name, permissions, scope)
    values (${roleId}, 'Pages', ${JSON.stringify(grant.permissions)}::jsonb, ${JSON.stringify(grant.scope)}::jsonb)`);
});
afterAll(() => portal[Symbol.asyncDispose]());

interface Person {
  readonly status?: string;
  readonly hasRole?: boolean;
}

async function person({ status = 'Activated', hasRole = true }: Person = {}): Promise<string> {
  const { orm } = portal.database;
  const id = newId();
  await orm.execute(sql`
    insert into portal_user (id, subject, username, name, status)
    values (${id}, ${id}, ${`user-${id}`}, 'N', ${status})`);
  if (hasRole)
    await orm.execute(sql`insert into user_role (user_id, role_id) values (${id}, ${roleId})`);
  return id;
}

/** Temporary access that is in effect, or has ended. */
async function accessOf(userId: string, state: 'running' | 'ended'): Promise<string> {
  const id = newId();
  await portal.database.orm.execute(sql`
    insert into access_grant
      (id, user_id, role_id, role_name, permissions, scope, reason, minutes, state, asked_at, ends_at)
    values (${id}, ${userId}, ${roleId}, 'Pages', '[]', '{}', 'night shift', 60, ${state},
      portal_now(), portal_now() + interval '1 hour')`);
  return id;
}

const holder = (userId: string, more: Partial<LinkHolder> = {}): LinkHolder => ({
  ...{ userId, signInId: undefined, accessGrantIds: [], rights: [digestOfGrant(grant)] },
  ...more,
});

test('of many holders, those who have lost nothing are valid', async () => {
  const [one, other] = [await person(), await person()];
  const running = holder(one, { accessGrantIds: [await accessOf(one, 'running')] });
  const ended = holder(one, { accessGrantIds: [await accessOf(one, 'ended')] });
  const valid = [holder(one), holder(other), holder(other, { rights: [] }), running];
  const invalid = [
    ended,
    holder(await person({ status: 'Suspended' })),
    holder(await person({ hasRole: false })),
    holder(newId()),
    holder('no user'),
    holder(one, { accessGrantIds: ['no access'] }),
    holder(one, { rights: ['another role'] }),
  ];
  // An external provider does not report ended sign-ins, so none is read.
  const find = validHolderFinder(
    { config: { providerSet: { source: 'hosted' } } as never, database: portal.database },
    { identity: undefined as never, provider: undefined },
  );
  expect(await find([...invalid, ...valid])).toEqual(new Set(valid));
});
