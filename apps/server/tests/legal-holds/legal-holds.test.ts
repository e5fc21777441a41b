import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LegalHoldRow, LegalHolds } from '@deviceportal/contract/legal-holds';
import type { Notification } from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let second: AccessFixture;
let number = 0;
let address: string;
let userId: string;
let holdId: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  await admin.invite('second@example.com', 'Administrator');
  second = await AccessFixture.open(portal, 'second@example.com');
});
afterAll(() => portal[Symbol.asyncDispose]());

/** A hold on a user who has left. */
beforeEach(async () => {
  number += 1;
  address = `held-${number}@example.com`;
  userId = (await admin.invite(address, 'Viewer')).id;
  await admin.done('access.users.changeStatus', { id: userId, act: 'resign' });
  holdId = (
    await admin.done<{ id: string }>('legalHolds.set', {
      ...{ name: `Case ${number}`, reason: 'court order', subjects: [address] },
    })
  ).id;
});

const list = () => admin.read<LegalHolds>('legalHolds.list');

async function hold(): Promise<LegalHoldRow | undefined> {
  return (await list()).holds.find(({ id }) => id === holdId);
}

const erase = () =>
  admin.order('personalData.erase', { kind: 'user', id: userId, username: address });

const request = () =>
  admin.order('legalHolds.requestRelease', { id: holdId, reason: 'case closed' });

const reasonOf = (answer: { readonly body: unknown }): string =>
  JSON.stringify(answer.body).match(/"reason":"([\w-]+)"/)?.[1] ?? '';

describe('legal holds', () => {
  test('a hold shows what it covers, who set it, and why, and is in the audit trail', async () => {
    expect(await hold()).toMatchObject({
      ...{ state: 'active', reason: 'court order', setBy: 'admin@deviceportal.local' },
      subjects: [{ kind: 'user', id: userId, label: address }],
    });
    const [event] = await admin.trail('legal-hold.set');
    expect(event?.data).toMatchObject({ holdId, purpose: 'court order' });
  });

  test('a subject that does not exist is rejected at its field', async () => {
    const refused = await admin.order('legalHolds.set', {
      ...{ name: 'Wrong', reason: 'court order', subjects: [address, 'SN-UNKNOWN-1'] },
    });
    expect(refused.issues).toMatchObject([{ path: ['subjects'] }]);
  });

  test('a release needs a second user, who can also reject it', async () => {
    await request();
    expect(await hold()).toMatchObject({ state: 'release-requested', canApprove: false });
    expect((await admin.order('legalHolds.approveRelease', { id: holdId })).code).toBe(1000);
    await second.done('legalHolds.rejectRelease', { id: holdId });
    expect(await hold()).toMatchObject({ state: 'active' });
    await request();
    const { rows } = await second.read<Page<Notification>>('notifications.list', {});
    expect(rows.filter(({ facts }) => facts['holdId'] === holdId)).toHaveLength(2);
    await second.done('legalHolds.approveRelease', { id: holdId });
    expect(await hold()).toMatchObject({ state: 'released', endedBy: 'second@example.com' });
    expect(reasonOf(await request())).toBe('hold-ended');
  });

  test('an erasure under a hold is held with its name, and starts by itself when the hold is released', async () => {
    const held = await erase();
    expect(reasonOf(held)).toBe('erasure-held');
    expect(JSON.stringify(held.body)).toContain(`Case ${number}`);
    expect((await list()).waiting).toMatchObject([
      { personId: userId, username: address, holds: [`Case ${number}`] },
    ]);
    expect(await admin.user(address)).toMatchObject({ status: 'Resigned' });
    await request();
    await second.done('legalHolds.approveRelease', { id: holdId });
    await expect
      .poll(async () => (await list()).waiting, { timeout: 60_000, interval: 500 })
      .toEqual([]);
    await expect(admin.user(address)).rejects.toThrow(/no user/);
    const [event] = await admin.trail('people.erased');
    expect(event).toMatchObject({ actor: { kind: 'system' }, data: { userId } });
  });

  test('a hold of a time range without subjects holds every erasure', async () => {
    await request();
    await second.done('legalHolds.approveRelease', { id: holdId });
    holdId = (
      await admin.done<{ id: string }>('legalHolds.set', {
        ...{ name: 'All of March', reason: 'court order', from: '2026-03-01T00:00:00.000Z' },
      })
    ).id;
    expect(reasonOf(await erase())).toBe('erasure-held');
    await request();
    await second.done('legalHolds.approveRelease', { id: holdId });
  });

  test('an auditor reads holds and cannot change them; support sees none', async () => {
    const auditor = await AccessFixture.open(portal, 'auditor');
    expect((await auditor.read<LegalHolds>('legalHolds.list')).holds.length).toBeGreaterThan(0);
    const set = { name: 'Mine', reason: 'because', subjects: [address] };
    expect((await auditor.order('legalHolds.set', set)).code).toBe(1000);
    const support = await AccessFixture.open(portal, 'support');
    expect((await support.ask('legalHolds.list')).code).toBe(1000);
  });
});
