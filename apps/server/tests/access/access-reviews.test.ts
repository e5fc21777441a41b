import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  AccessReviewRow,
  ReviewExport,
  ReviewLinePage,
  ReviewLineRow,
} from '@deviceportal/contract/access-reviews';
import type { Notification } from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let number = 0;
let reviewId: string;
let userId: string;
let address: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

/** A review with a line of a new user who has the role Viewer. */
beforeEach(async () => {
  number += 1;
  address = `reviewed-${number}@example.com`;
  userId = (await admin.invite(address, 'Viewer')).id;
  ({ id: reviewId } = await admin.done<{ id: string }>('accessReviews.start', { days: 14 }));
});

/** Closes the review by keeping what is left, with a second administrator for the first one's own roles. */
async function close(): Promise<void> {
  const second = `second-${number}@example.com`;
  await admin.invite(second, 'Administrator');
  for (const reviewer of [admin, await AccessFixture.open(portal, second)]) {
    const lines = (await linesOf(reviewer)).filter(({ obstacle }) => obstacle !== 'own');
    if (lines.length === 0) continue;
    await reviewer.done('accessReviews.decide', {
      ...{ reviewId, decision: 'keep', lineIds: lines.map(({ id }) => id) },
    });
  }
  const suspended = await admin.user(second);
  await admin.done('access.users.changeStatus', { id: suspended.id, act: 'resign' });
}

const linesOf = async (by: AccessFixture, show = 'undecided'): Promise<readonly ReviewLineRow[]> =>
  (await by.read<ReviewLinePage>('accessReviews.lines', { reviewId, show, pageSize: 100 })).rows;

async function lineOf(user: string): Promise<ReviewLineRow> {
  const line = (await linesOf(admin, 'all')).find((each) => each.userId === user);
  if (line === undefined) throw new Error('the user has no line');
  return line;
}

const decide = (by: AccessFixture, line: Pick<ReviewLineRow, 'id'>, decision: object) =>
  by.order('accessReviews.decide', { reviewId, lineIds: [line.id], ...decision });

const removal = { decision: 'remove', reason: 'changed teams' };

describe('a review of access', () => {
  test('a removed role ends at the next call, with the reviewer and the reason in the trail', async () => {
    const person = await AccessFixture.open(portal, address);
    expect((await person.session()).roles).toEqual(['Viewer']);
    expect((await decide(admin, await lineOf(userId), removal)).status).toBe(200);
    expect((await person.session()).roles).toEqual([]);
    expect(await lineOf(userId)).toMatchObject({
      ...{ decision: 'remove', outcome: 'removed', reason: 'changed teams' },
      decidedBy: 'admin@deviceportal.local',
    });
    const [event] = await admin.trail('access.review-decided');
    expect(event?.data).toMatchObject({ userId, role: 'Viewer', reason: 'changed teams' });
    await close();
  });

  test('a removal without a reason, and a decision on one’s own role, change nothing', async () => {
    const line = await lineOf(userId);
    expect((await decide(admin, line, { decision: 'remove' })).code).toBe(2004);
    const own = await lineOf((await admin.session()).userId);
    expect(own.obstacle).toBe('own');
    expect((await decide(admin, own, { decision: 'keep' })).code).toBe(1000);
    expect((await admin.user(address)).roles).toEqual(['Viewer']);
    await close();
  });

  test('one line that the reviewer cannot decide leaves all lines undecided', async () => {
    const own = await lineOf((await admin.session()).userId);
    const line = await lineOf(userId);
    const answer = await admin.order('accessReviews.decide', {
      ...{ reviewId, lineIds: [line.id, own.id], ...removal },
    });
    expect(answer.code).toBe(1000);
    expect((await lineOf(userId)).decision).toBeNull();
    await close();
  });

  test('an auditor reads a review and cannot decide', async () => {
    const auditor = await AccessFixture.open(portal, 'auditor');
    expect((await linesOf(auditor)).length).toBeGreaterThan(0);
    expect((await decide(auditor, await lineOf(userId), removal)).code).toBe(1000);
    await close();
  });

  test('a role that the user lost meanwhile is gone, not removed', async () => {
    const line = await lineOf(userId);
    await admin.done('access.users.changeRoles', { id: userId, remove: [line.roleId] });
    await decide(admin, line, removal);
    expect(await lineOf(userId)).toMatchObject({ decision: 'remove', outcome: 'gone' });
    await close();
  });

  test('a second review starts only when the first one is closed', async () => {
    expect((await admin.order('accessReviews.start', {})).code).toBe(2004);
    await close();
    const [review] = await admin.read<AccessReviewRow[]>('accessReviews.list');
    expect(review).toMatchObject({ id: reviewId, state: 'closed', undecided: 0 });
    expect((await decide(admin, await lineOf(userId), removal)).code).toBe(2004);
  });

  test('the export contains every line with its decision, and is recorded', async () => {
    await decide(admin, await lineOf(userId), removal);
    const { text } = await admin.done<ReviewExport>('accessReviews.export', { id: reviewId });
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength((await linesOf(admin, 'all')).length + 1);
    expect(lines.find((line) => line.startsWith(address))).toContain(',remove,changed teams,');
    const [event] = await admin.trail('access.review-exported');
    expect(event?.data).toMatchObject({ reviewId });
    await close();
  });

  test('users who manage access are told once that a review has started', async () => {
    const { rows } = await admin.read<Page<Notification>>('notifications.list', {});
    const told = rows.filter(
      ({ kind, facts }) => kind === 'access-review' && facts['reviewId'] === reviewId,
    );
    expect(told).toMatchObject([{ facts: { stage: 'started' } }]);
    await close();
  });
});
