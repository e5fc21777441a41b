import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openUnmigrated } from '../../src/platform/database/open-migrated.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';

test.skipIf(process.platform === 'win32')(
  'other accounts can neither read nor list a data directory, also one that was made with other rights',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dp-mode-'));
    await using db = await createTestDatabase();
    await using resources = new AsyncDisposableStack();
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const database = { kind: 'url', url: db.url } as const;
    const logger = createLogger({ logLevel: 'silent' });
    const open = async (name: string): Promise<number> => {
      const dataDir = join(folder, name);
      await openUnmigrated(resources, { database, dataDir }, { logger });
      return (await stat(dataDir)).mode & 0o777;
    };
    await mkdir(join(folder, 'open'));
    await chmod(join(folder, 'open'), 0o777);
    // Root runs PostgreSQL as another account, which passes through and cannot list.
    const wanted = process.getuid?.() === 0 ? 0o711 : 0o700;
    expect([await open('new'), await open('open')]).toEqual([wanted, wanted]);
  },
);
