import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { updateDevice } from '../../src/devices/update-device.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { administrator, callerOf, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let ids: ReadonlyMap<string, string>;
const devices = { AUD0001: ['Lobby-Zürich', 'DE'], AUD0002: ['tokyo 7', 'JP'] } as const;

beforeAll(async () => {
  db = await createTestDatabase();
  ids = await createDevices(db, {
    people: [],
    devices: Object.entries(devices).map(([serialNumber, [name, country]]) => ({
      ...{ serialNumber, name, country, model: 'kiosk', labels: {} },
    })),
  });
  await inTransaction(db.database, (tx) =>
    recordAudit(tx, [
      ...[...ids.values()].map((deviceId) => ({
        ...{ type: 'device.suspended' as const, deviceId, actor: systemActor },
      })),
      {
        type: 'device.suspended' as const,
        actor: systemActor,
        data: { note: 'no device, "quoted"' },
      },
    ]),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

/** Serial numbers of the suspended devices whose events are found; `-` for the event without a device. */
async function found(text: string, viewer: Viewer = administrator): Promise<string[]> {
  const filter = auditFilterSchema.parse({ text, types: ['device.suspended'] });
  const { rows } = await listAuditEvents(db, viewer, { filter, pageSize: 50, cursor: null });
  return rows.map(({ serialNumber }) => serialNumber ?? '-').toSorted();
}

test('finds events by the name and serial number of their device, in any case', async () => {
  expect(await found('LOBBY-zÜR')).toEqual(['AUD0001']);
  expect(await found('tokyo 7')).toEqual(['AUD0002']);
  expect(await found('aud000')).toEqual(['AUD0001', 'AUD0002']);
  expect(await found('kyoto')).toEqual([]);
});

test('finds them by texts that no index contains', async () => {
  expect(await found('ky')).toEqual(['AUD0002']);
  expect(await found('o 7')).toEqual(['AUD0002']);
  expect(await found('%')).toEqual([]);
});

test('does not find events by the model of their device, which the list of events does not show', async () => {
  expect(await found('kiosk')).toEqual([]);
});

test('finds events by what they contain', async () => {
  expect(await found('no device')).toEqual(['-']);
  expect(await found('SUSPEND')).toEqual(['-', 'AUD0001', 'AUD0002']);
});

test('finds no event of a device outside the scope', async () => {
  const german = limitedTo({ countries: ['DE'] }, ['audit-trail:read', 'devices:read']);
  expect(await found('tokyo', german)).toEqual([]);
  expect(await found('aud000', german)).toEqual(['AUD0001']);
});

test('finds events of a renamed device by its new name', async () => {
  const deps = {
    ...{ database: db.database, clock: () => new Date(), changes: createLocalChangeFeed(() => {}) },
    installCommand: async (token: string) => token,
  };
  await updateDevice(deps, callerOf(administrator), {
    id: ids.get('AUD0002') ?? '',
    name: 'osaka',
  });
  expect(await found('osaka')).toEqual(['AUD0002']);
  expect(await found('tokyo')).toEqual([]);
});
