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
    name: null,
    groups: [],
    originJti: newId(),
    authenticatedAt: signedInAt,
    expiresAt: new Date('2026-11-20T10:00:00Z'),
  };
});

const finder = () =>
  createViewerFinder({
    database: testDatabase.database,
    tokens: { verify: async () => claims },
    clock: () => now,
    findGroups: async ({ originJti, groups }) =>
      originJti !== null && revoked.has(originJti) ? undefined : groups,
    sessionDurationMinutes: 720,
  });

const signInEvents = async (): Promise<number> => {
  const { rows } = await testDatabase.database.orm.execute<{ count: number }>(sql`
    select count(*)::int as count from audit_event e join portal_user u on u.id::text = e.actor_id
    where e.type = 'access.signed-in' and u.subject = ${claims.subject}`);
  return rows[0]?.count ?? 0;
};

describe('the viewer behind a token', () => {
  test('[session-1] one sign-in is one audit event, however many calls and servers see it', async () => {
    await Promise.all([finder(), finder(), finder()].map((one) => one.find('t', origin)));
    expect(await signInEvents()).toBe(1);
  });

  test('[session-2] the roles on record decide what may be done', async () => {
    const id = await upsertUser(testDatabase.database.orm, newId(), { ...claims, name: 'Sam' });
    await grantRole(testDatabase.database.orm, id, 'Support');
    const viewer = await finder().find('t', origin);
    expect(viewer.roles).toEqual(['Support']);
    expect(holds(viewer.grants, 'commands:run:@changes')).toBe(true);
    expect(holds(viewer.grants, 'commands:run:@disrupts')).toBe(false);
  });

  test('[session-3] members of the admin group are administrators without a role on record', async () => {
    claims = { ...claims, groups: [ADMIN_GROUP] };
    const viewer = await finder().find('t', origin);
    expect(holds(viewer.grants, 'access:manage')).toBe(true);
  });

  test('[session-admin-1] that they are is remembered for when nobody calls, and forgotten when they leave the group', async () => {
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

  test('[session-4] a suspended user has no session', async () => {
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

  test('[session-5] the session ends 720 minutes after sign-in, whatever was refreshed', async () => {
    now = new Date(signedInAt.getTime() + 720 * 60_000);
    await expect(finder().find('t', origin)).rejects.toMatchObject({ code: 2001 });
  });

  test('[session-7] a sign-in that was ended elsewhere has no session, though its token is still good', async () => {
    const one = finder();
    await one.find('t', origin);
    revoked.add(claims.originJti ?? '');
    await expect(one.find('t', origin)).rejects.toMatchObject({ code: 2001, detail: 'signed-out' });
  });

  test('[session-6] no token is no session', async () => {
    await expect(finder().find(undefined, origin)).rejects.toMatchObject({ code: 2001 });
  });
});
