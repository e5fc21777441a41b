import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewExport, ReviewLinePage } from '@deviceportal/contract/access-reviews';
import { ApiTokenClient } from '../api-tokens/api-token-client.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let creator: AccessFixture;
let other: AccessFixture;
let client: ApiTokenClient;
let reviewId: string;

beforeAll(async () => {
  portal = await startTestServer();
  creator = await AccessFixture.open(portal, 'admin');
  await creator.invite('other@example.com', 'Administrator');
  other = await AccessFixture.open(portal, 'other@example.com');
  client = await ApiTokenClient.service(portal.url, creator, {
    ...{ name: 'warehouse', roles: ['Support', 'Viewer'] },
  });
  const ended = await ApiTokenClient.service(portal.url, creator, {
    ...{ name: 'ended', roles: ['Viewer'] },
  });
  await creator.done('apiTokens.revoke', { id: ended.id });
  ({ id: reviewId } = await creator.done<{ id: string }>('accessReviews.start', { days: 14 }));
});
afterAll(() => portal[Symbol.asyncDispose]());

const linesOf = async (by: AccessFixture) => {
  const query = { reviewId, show: 'all', pageSize: 100 };
  const { rows } = await by.read<ReviewLinePage>('accessReviews.lines', query);
  return rows.filter(({ kind }) => kind === 'service-token');
};

const decide = (by: AccessFixture, lineId: string) =>
  by.order('accessReviews.decide', {
    ...{ reviewId, lineIds: [lineId], decision: 'remove', reason: 'warehouse closed' },
  });

test('the roles of service tokens that have not ended are listed with their creator', async () => {
  const lines = await linesOf(other);
  expect(lines.map(({ apiTokenName, roleName }) => [apiTokenName, roleName])).toEqual([
    ['warehouse', expect.any(String)],
    ['warehouse', expect.any(String)],
  ]);
  expect(lines[0]).toMatchObject({ username: 'admin@deviceportal.local', obstacle: null });
  const { text } = await other.done<ReviewExport>('accessReviews.export', { id: reviewId });
  expect(text).toContain('warehouse');
});

test('the creator cannot decide, and a removal by another administrator ends the token', async () => {
  const [line, second] = await linesOf(creator);
  expect(line?.obstacle).toBe('own');
  expect((await decide(creator, line?.id ?? '')).code).toBe(1000);
  expect((await client.get('/token')).status).toBe(200);
  expect((await decide(other, line?.id ?? '')).status).toBe(200);
  expect((await client.get('/token')).status).toBe(401);
  await decide(other, second?.id ?? '');
  const outcomes = (await linesOf(other)).map(({ id, outcome }) => [id, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({
    ...{ [line?.id ?? '']: 'removed', [second?.id ?? '']: 'gone' },
  });
  const [event] = await other.trail('access.review-decided');
  expect(event?.data).toMatchObject({ apiToken: 'warehouse', reason: 'warehouse closed' });
  const revoked = await other.trail('access.api-token-revoked');
  expect(revoked.filter(({ data }) => data['apiTokenId'] === client.id)).toHaveLength(1);
});
