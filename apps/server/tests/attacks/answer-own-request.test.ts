import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

async function invited(address: string, role: string): Promise<AccessFixture> {
  await admin.invite(address, role);
  return AccessFixture.open(portal, address);
}

it('a user cannot grant themselves temporary access with their second account', async () => {
  const viewer = await invited('ana@example.com', 'Viewer');
  const second = await invited('ana+admin@example.com', 'Administrator');
  const { id: roleId } = await admin.role('Operator');
  const { id } = await viewer.done<AccessGrantRow>('access.accessGrants.ask', {
    ...{ roleId, reason: 'the night shift', minutes: 60 },
  });
  const [asked] = (
    await second.read<Page<AccessGrantRow>>('access.accessGrants.list', { open: true, mine: false })
  ).rows;
  expect(asked).toMatchObject({ id, obstacle: { reason: 'own' } });
  const own = { status: 403, code: 1000 };
  expect(await second.order('access.accessGrants.grant', { id })).toMatchObject(own);
  expect(await second.order('access.accessGrants.refuse', { id, note: '' })).toMatchObject(own);
  const news = await second.read<Page<{ kind: string }>>('notifications.list', {});
  expect(news.rows.map(({ kind }) => kind)).not.toContain('elevation-asked');
  await admin.done('access.accessGrants.grant', { id });
});
