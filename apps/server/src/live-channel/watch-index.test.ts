import { expect, it } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { LiveConnection } from './live-connection.ts';
import { noInterests } from './resolve-interests.ts';
import { WatchIndex } from './watch-index.ts';

const DEVICES = 5_000;
const VIEWERS = 1_000;
const EACH = 50;

function viewerOf(name: string, interests: Partial<LiveConnection['interests']>): LiveConnection {
  const viewer = new LiveConnection(name, {
    identityId: name,
    sub: name,
    originJti: name,
    groups: [],
    expiresAt: new Date(),
  });
  viewer.interests = {
    ...noInterests,
    deviceScopes: [everywhere],
    auditScopes: [everywhere],
    isLimited: false,
    ...interests,
  };
  return viewer;
}

it('costs 1,000 viewers of 5,000 status changes no more than the items that they watch', () => {
  const index = new WatchIndex();
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    const ids = Array.from({ length: EACH }, (_, n) => String((viewer * 7 + n * 101) % DEVICES));
    index.add(viewerOf(`v${viewer}`, { devices: new Set(ids), fleet: true, auditTrail: true }));
  }
  let calls = 0;
  for (let device = 0; device < DEVICES; device += 1) {
    const deviceIds = [String(device)];
    index.record({ kind: 'device-status', deviceIds }, () => (calls += 1));
    index.record({ kind: 'audit-trail', deviceIds }, () => (calls += 1));
    expect(index.watchersInScope(deviceIds).size).toBe(0);
  }
  // Each watched device once, and the shared news once for each of its two kinds.
  expect(calls).toBe(VIEWERS * EACH + 2 * VIEWERS);
});

it('removes a disconnected viewer completely', () => {
  const index = new WatchIndex();
  const viewer = viewerOf('v', { devices: new Set(['d']), fleet: true, auditTrail: true });
  index.add(viewer);
  index.remove(viewer);
  const marked: unknown[] = [];
  index.record({ kind: 'device-status', deviceIds: ['d'] }, (who) => marked.push(who));
  index.record({ kind: 'audit-trail', deviceIds: ['d'] }, (who) => marked.push(who));
  expect(marked).toEqual([]);
});

it('counts for each viewer the events since its last update', () => {
  const index = new WatchIndex();
  const one = viewerOf('one', { auditTrail: true });
  const other = viewerOf('other', { auditTrail: true });
  index.add(one);
  index.add(other);
  const happen = (): void => index.record({ kind: 'audit-trail', deviceIds: ['d'] }, () => {});
  happen();
  expect(one.takeOwn()).toEqual([{ kind: 'audit-trail', deviceId: null, count: 1 }]);
  happen();
  expect(one.takeOwn()).toEqual([{ kind: 'audit-trail', deviceId: null, count: 1 }]);
  expect(other.takeOwn()).toEqual([{ kind: 'audit-trail', deviceId: null, count: 2 }]);
  expect(other.isDirty).toBe(false);
});
