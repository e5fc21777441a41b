import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, holds } from '@deviceportal/contract/permissions';
import { ensureBuiltinRoles } from '../../../src/access/data/ensure-builtin-roles.ts';
import { grantRole } from '../../../src/access/data/user-role-queries.ts';
import { externalDirectory } from '../../../src/access/external-directory.ts';
import { createTokenAuthentication } from '../../../src/api-tokens/authenticate-token.ts';
import { createPersonalToken } from '../../../src/api-tokens/create-personal-token.ts';
import { insertToken } from '../../../src/api-tokens/data/api-token-queries.ts';
import { hashOfApiToken, newApiToken } from '../../../src/api-tokens/token-format.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { createViewerFinder } from '../../../src/session/find-viewer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

/** Users of an external provider, whose groups the portal knows only from the tokens of their sessions. */
const origin = { requestId: 'r', address: '203.0.113.7' };
const clock = () => new Date();
const permissions = ['devices:read', 'cases:read'] as const;

let portal: TestDatabase;
let administrator: Viewer;

beforeAll(async () => {
  portal = await createTestDatabase();
  await ensureBuiltinRoles(portal);
});
afterAll(() => portal[Symbol.asyncDispose]());

const viewersIn = (groups: readonly string[], subject: string) =>
  createViewerFinder({
    database: portal.database,
    tokens: {
      verify: async () => ({
        ...{ subject, username: subject, email: null, phone: null, name: 'Ada', groups },
        ...{ emailVerified: false, phoneVerified: false, originJti: newId() },
        ...{ authenticatedAt: clock(), expiresAt: new Date(Date.now() + 3_600_000) },
      }),
    },
    clock,
    findGroups: async () => groups,
    named: { sessionDurationMinutes: 720 },
  });

beforeEach(async () => {
  const subject = newId();
  administrator = await viewersIn([ADMIN_GROUP], subject).find('t', origin);
});

const authenticate = (secret: string) =>
  createTokenAuthentication({
    ...{ database: portal.database, directory: externalDirectory, clock },
    viewers: viewersIn([], administrator.subject),
  }).authenticate(`Bearer ${secret}`, origin, () => {});

const create = () =>
  createPersonalToken(
    { database: portal.database, directory: externalDirectory, clock, apiTokenMaxDays: 90 },
    { ...origin, viewer: administrator },
    {
      name: 'kept',
      days: 7,
      permissions: [...permissions],
      scope: { countries: [], models: [], labels: {} },
    },
  );

async function storeToken(): Promise<string> {
  const secret = newApiToken('personal');
  const { userId } = administrator;
  await inTransaction(portal.database, (tx) =>
    insertToken(tx, {
      ...{ id: newId(), kind: 'personal', name: 'kept', ownerId: userId, createdById: userId },
      ...{ permissions: [...permissions], scope: everywhere, roleIds: [] },
      ...{ expiresAt: new Date(Date.now() + 3_600_000), tokenHash: hashOfApiToken(secret) ?? '' },
    }),
  );
  return secret;
}

test('a token has no rights by a group of which its owner was a member at the last sign-in', async () => {
  expect(holds(administrator.grants, 'access:manage')).toBe(true);
  const secret = await storeToken();
  await expect(authenticate(secret)).rejects.toMatchObject({ code: 1000 });
});

test('no token is created by such a group', async () => {
  await expect(create()).rejects.toMatchObject({ code: 1000 });
});

test('a token has the rights of the roles that are assigned in the portal', async () => {
  await grantRole(portal.database.orm, administrator.userId, 'Support');
  const { token } = await create();
  const viewer = await authenticate(token);
  expect(viewer.roles).toEqual(['Support']);
  expect(permissions.every((each) => holds(viewer.grants, each))).toBe(true);
});
