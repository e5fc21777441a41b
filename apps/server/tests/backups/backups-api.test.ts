import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BackupsView } from '@deviceportal/contract/backups';
import { createBackupRecorder } from '../../src/backups/record-backup.ts';
import { makeIdentity } from '../../src/platform/backup/backup-encryption.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer } from '../support/start-test-server.ts';

test('administrators see and start backups, which is in the audit trail; other users do neither', async () => {
  const place = await mkdtemp(join(tmpdir(), 'dp-backups-'));
  const { recipient } = await makeIdentity(new Date());
  try {
    await using server = await startTestServer([], {
      DEVICEPORTAL_BACKUP_LOCATION: place,
      DEVICEPORTAL_BACKUP_RECIPIENT: recipient,
    });
    await using database = openDatabase({
      access: { connection: { connectionString: server.installation.databaseUrl } },
      onError: () => {},
    });
    await createBackupRecorder({ database, place, clock: () => new Date() }).made('a-backup', 5);
    const admin = await AccessFixture.open(server, 'admin');
    const viewer = await AccessFixture.open(server, 'viewer');
    expect((await viewer.ask('backups.get')).code).toBe(1000);
    expect((await viewer.order('backups.start')).code).toBe(1000);
    const auditor = await AccessFixture.open(server, 'auditor');
    expect((await auditor.order('backups.start')).code).toBe(1000);
    expect(await auditor.read<BackupsView>('backups.get')).toMatchObject({
      ...{ place, requestedAt: null, database: 'external', problem: null, last: { bytes: 5 } },
    });
    await admin.done('backups.start');
    expect((await admin.read<BackupsView>('backups.get')).requestedAt).not.toBe(null);
    const [event] = await admin.trail('installation.backup-requested');
    expect(event).toMatchObject({ actor: { kind: 'user' }, data: { to: place } });
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
});
