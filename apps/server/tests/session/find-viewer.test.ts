import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { holds } from '@deviceportal/contract/permissions';
import { newId } from '@deviceportal/contract/ids';
import { ensureBuiltinRoles } from '../../src/access/data/ensure-builtin-roles.ts';
import { grantRole } from '../../src/access/data/user-role-queries.ts';
import { upsertUser } from '../../src/access/data/user-queries.ts';
import { createViewerFinder } from '../../src/session/find-viewer.ts';
import type { IdTokenClaims } from '../../src/session/token-verifier.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const origin = { requestId: 'request-1', address: '127.0.0.1' };
const signedInAt = new Date('2026-11-20T08:00:00Z');

let testDatabase: TestDatabase;
let claims: IdTokenClaims;
let now: Date;
const revoked = new Set<string>();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await ensureBuiltinRoles(testDatabase);
});
afterAll(() => testDatabase[Symbol.asyncDispose]());
beforeEach(() => {
  now = new Date('2026-11-20T09:00:00Z');
  claims = {
    subject: newId(),
    username: 'sam',
    email: 'sam@example.com',
    phone: null,
    emailVerified: false,
    phoneVerified: false,
    name: null,
    groups: [],
    originJti: newId(),
    authenticatedAt: signedInAt,
    expiresAt: new Date('2026-11-20T10:00:00Z'),
  };
});

const finder = (named = { sessionDurationMinutes: 720 }) =>
  createViewerFinder({
    database: testDatabase.database,
    tokens: { verify: async () => claims },
    clock: () => now,
    findGroups: async ({ originJti, groups }) =>
      originJti !== null && revoked.has(originJti) ? undefined : groups,
    named,
  });

const signInEvents = async (): Promise<number> => {
  const { rows } = await testDatabase.database.orm.execute<{ count: number }>(sql`
    select count(*)::int as count from audit_event e join portal_user u on u.id::text = e.actor_id
    where e.type = 'access.signed-in' and u.subject = ${claims.subject}`);
  return rows[0]?.count ?? 0;
};

describe('the viewer of a token', () => {
  test('[session-1] records one audit event for a sign-in, however many calls and servers see it', async () => {
    await Promise.all([finder(), finder(), finder()].map((one) => one.find('t', origin)));
    expect(await signInEvents()).toBe(1);
  });

  test('grants the permissions of the assigned roles', async () => {
    const id = await upsertUser(testDatabase.database.orm, newId(), { ...claims, name: 'Sam' });
    await grantRole(testDatabase.database.orm, id, 'Support');
    const viewer = await finder().find('t', origin);
    expect(viewer.roles).toEqual(['Support']);
    expect(holds(viewer.grants, 'commands:run:@changes')).toBe(true);
    expect(holds(viewer.grants, 'commands:run:@disrupts')).toBe(false);
  });

  test('[session-3] makes members of the admin group administrators without an assigned role', async () => {
    claims = { ...claims, groups: [ADMIN_GROUP] };
    const viewer = await finder().find('t', origin);
    expect(holds(viewer.grants, 'access:manage')).toBe(true);
  });

  test('stores membership in the admin group for background work, and removes it when the user leaves the group', async () => {
    const isRemembered = async () => {
      await finder().find('t', origin);
      const { rows } = await testDatabase.database.orm.execute<{ is: boolean }>(
        sql`select in_admin_group as is from portal_user where subject = ${claims.subject}`,
      );
      return rows[0]?.is;
    };
    expect(await isRemembered()).toBe(false);
    claims = { ...claims, groups: [ADMIN_GROUP] };
    expect(await isRemembered()).toBe(true);
    claims = { ...claims, groups: [] };
    expect(await isRemembered()).toBe(false);
  });

  test('rejects a suspended user', async () => {
    const one = finder();
    await one.find('t', origin);
    await testDatabase.database.orm.execute(
      sql`update portal_user set status = 'Suspended' where subject = ${claims.subject}`,
    );
    await expect(one.find('t', origin)).rejects.toMatchObject({
      code: 2001,
      detail: 'user-not-active',
    });
  });

  test('[session-5] ends the session 720 minutes after sign-in, regardless of refreshed tokens', async () => {
    now = new Date(signedInAt.getTime() + 720 * 60_000);
    await expect(finder().find('t', origin)).rejects.toMatchObject({ code: 2001 });
  });

  test('[session-8] a shorter duration applies to sessions that are open', async () => {
    const named = { sessionDurationMinutes: 720 };
    const one = finder(named);
    now = new Date(signedInAt.getTime() + 60 * 60_000);
    await one.find('t', origin);
    named.sessionDurationMinutes = 60;
    await expect(one.find('t', origin)).rejects.toMatchObject({
      code: 2001,
      detail: 'session-ended',
    });
  });

  test('[session-7] rejects a valid token after its sign-in was ended elsewhere', async () => {
    const one = finder();
    await one.find('t', origin);
    revoked.add(claims.originJti ?? '');
    await expect(one.find('t', origin)).rejects.toMatchObject({ code: 2001, detail: 'signed-out' });
  });

  test('[session-6] rejects a request without a token', async () => {
    await expect(finder().find(undefined, origin)).rejects.toMatchObject({ code: 2001 });
  });
});
