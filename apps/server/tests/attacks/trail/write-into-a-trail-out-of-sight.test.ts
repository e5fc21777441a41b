import { sql } from 'drizzle-orm';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import type { AuditTrailDeps } from '../../../src/audit-trail/audit-trail-deps.ts';
import { exportAuditTrail } from '../../../src/audit-trail/export/export-audit-trail.ts';
import { addNote } from '../../../src/devices/device-notes.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { onlyHot, testSigner } from '../../support/audit/audit-signer.ts';
import {
  createCommandFixture,
  origin,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import { createDirectoryFiles } from '../../../src/platform/files/directory-files.ts';

const german = viewerWith('Auditor', { countries: ['DE'], models: [], labels: {} });

let db: TestDatabase;
let fixture: CommandFixture;
let deps: AuditTrailDeps;
let exportsDir: string;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
  exportsDir = await mkdtemp(join(tmpdir(), 'exports-'));
  deps = {
    ...onlyHot(db),
    clock: () => new Date(),
    exportFiles: createDirectoryFiles(exportsDir),
    auditSigner: testSigner,
    signExportUrl: (fileName) => fileName,
  };
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(exportsDir, { recursive: true, force: true });
});

/** The exports of a device's events with text of the exporter, as recorded in the trail of the device. */
async function exportsOn(country: string): Promise<number> {
  const [deviceId = ''] = await seedDevices(db.database, [{ country }]);
  await addNote(
    { ...fixture.deps, installCommand: async (token: string) => token },
    { viewer: viewerWith('Administrator'), ...origin },
    { deviceId, text: 'seen' },
  );
  const filter = auditFilterSchema.parse({ deviceId, text: 'device.note' });
  await exportAuditTrail(deps, german, { filter, format: 'json', origin });
  const { rowCount } = await db.database.orm.execute(sql`
    select from audit_event where device_id = ${deviceId} and type = 'audit-trail.exported'`);
  return rowCount ?? 0;
}

test('a user with a scope cannot write text into the trail of a device outside it', async () => {
  expect(await exportsOn('FR')).toBe(0);
  expect(await exportsOn('DE')).toBe(1);
});
