import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import { selectTimeline } from '../../src/air-blast/select-timeline.ts';
import { getAuditFacets } from '../../src/audit-trail/get-audit-facets.ts';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { selectRecordChanges } from '../../src/device-history/data/device-event-queries.ts';
import {
  eraseNow,
  seedCustomer,
  seedUser,
  type SeededUser,
} from '../personal-data/seeded-people.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const auditor = viewerWith('Auditor');
const airBlastId = newId();
let portal: TestDatabase;
let maria: SeededUser;
let carla: SeededUser;
let boris: SeededUser;
let deviceId = '';

/** An event as releases wrote it before each person had a key. */
async function recordInClear(event: {
  readonly type: string;
  readonly actor: SeededUser;
  readonly data?: object;
}): Promise<void> {
  await portal.database.pool.query(
    `insert into audit_event (id, type, device_id, actor_kind, actor_id, actor_name, actor_address, data)
     values (audit_event_id(0), $1, $2, 'user', $3, $4, '192.0.2.77', $5)`,
    [
      ...[event.type, deviceId, event.actor.id || null, event.actor.username],
      JSON.stringify(event.data ?? {}),
    ],
  );
}

beforeAll(async () => {
  portal = await createTestDatabase();
  [deviceId = ''] = await seedDevices(portal.database, [{ name: 'tablet' }]);
  maria = await seedUser(portal.database, 'maria-quill@example.com');
  boris = await seedUser(portal.database, 'boris@example.com');
  carla = await seedCustomer(portal.database, 'carla-quill');
  await recordInClear({ type: 'device.updated', actor: maria });
  await recordInClear({ type: 'air-blast.paused', actor: maria, data: { airBlastId } });
  const others = { userId: maria.id, username: maria.username, author: maria.username };
  await recordInClear({ type: 'device.updated', actor: boris, data: others });
  await recordInClear({ type: 'access.sign-in-refused', actor: { ...maria, id: '' } });
  await recordInClear({ type: 'device.updated', actor: boris, data: { username: 'CARLA-quill' } });
  for (const each of [maria, carla]) await eraseNow(portal.database, each);
});
afterAll(() => portal[Symbol.asyncDispose]());

const list = async (filter: object = {}) =>
  (
    await listAuditEvents(portal, auditor, {
      ...{ filter: auditFilterSchema.parse(filter), pageSize: 50, cursor: null },
    })
  ).rows;

test('events of before there were keys show the pseudonym of an erased person, who acted or who is named', async () => {
  const rows = await list();
  expect(rows).toHaveLength(5);
  expect(JSON.stringify(rows)).not.toMatch(/quill/i);
  expect(rows.filter(({ actor }) => actor.name === boris.username)).toHaveLength(2);
  const erased = rows.filter(({ actor }) => actor.name.startsWith('erased-'));
  expect(erased.map(({ actor }) => actor.address)).toEqual([null, null, null]);
});

test('neither the actors to filter by, nor a rollout, nor a device’s history names an erased person', async () => {
  const { orm } = portal.database;
  const facets = await getAuditFacets(portal, auditor, auditFilterSchema.parse({}));
  expect(facets.actors.map(({ id }) => id)).toContain(maria.id);
  const run = { id: airBlastId, createdAt: new Date(Date.now() - 60_000) };
  const timeline = await selectTimeline(orm, run, (name) => name);
  expect(timeline).toHaveLength(1);
  const history = await selectRecordChanges(orm, deviceId, new Date(0));
  expect(history.length).toBeGreaterThan(0);
  expect(JSON.stringify([facets, timeline, history.map(({ actor }) => actor)])).not.toMatch(
    /quill/,
  );
});

test('a search for the name of an erased person finds nothing, and one for a person who is named beside them does', async () => {
  for (const text of ['maria-quill@example.com', 'ria-qui', 'carla-quill']) {
    expect(await list({ text })).toEqual([]);
  }
  expect(await list({ text: 'boris@' })).toHaveLength(2);
  expect(await list({ text: 'device.updated' })).toHaveLength(3);
});
