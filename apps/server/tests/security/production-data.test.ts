import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPortalUser, rejectDemoUsers } from '../../src/access/demo-users.ts';
import { ensureBuiltinRoles } from '../../src/access/data/ensure-builtin-roles.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { StartError } from '../../src/platform/process/start-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  db = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'dp-production-'));
  await ensureBuiltinRoles(db);
});
afterAll(async () => {
  await rm(dataDir, { recursive: true });
  await db[Symbol.asyncDispose]();
});

const directory = {
  ensureUser: async ({ username, email, name }: Record<'username' | 'email' | 'name', string>) => ({
    ...{ subject: username, username, email, name, phone: null, groups: [] },
  }),
} as never;

describe('production refuses', () => {
  test('[production-1] the people of a start outside it', async () => {
    const own = { email: 'boss@corp.example', name: 'Boss', role: 'Administrator', groups: [] };
    await createPortalUser({ ...db, directory }, own);
    await expect(rejectDemoUsers(db)).resolves.toBeUndefined();
    await createPortalUser({ ...db, directory }, { ...own, email: 'admin@deviceportal.local' });
    await expect(rejectDemoUsers(db)).rejects.toThrow(StartError);
    await expect(rejectDemoUsers(db)).rejects.toThrow(/admin@deviceportal\.local.*new data/);
  });

  test.skipIf(process.platform === 'win32')(
    '[production-2] an installation key that everybody may read',
    async () => {
      const open = () => openInstallationSecrets(createFileSecrets(dataDir, { strict: true }));
      await open();
      await expect(open()).resolves.toBeDefined();
      await chmod(join(dataDir, 'keys', 'installation.key'), 0o644);
      await expect(open()).rejects.toThrow(/chmod 600/);
    },
  );
});
