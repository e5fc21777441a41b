import { resolve } from 'node:path';
import { identityMigrations } from './identity-migrations.ts';
import { restoreBackup } from './platform/backup/restore-backup.ts';
import { grantTo, openAsOwner } from './platform/database/open-migrated.ts';
import { runOperatorCommand } from './platform/run-command.ts';

await runOperatorCommand(
  { words: 1, line: 'npm run restore -- FILE [--data-dir .data]' },
  async ({ words: [name = ''], config, logger, resources }) => {
    const { owner: database, runtime } = await openAsOwner(resources, config, { logger });
    const file = resolve(name);
    const madeAt = await restoreBackup({
      database,
      dataDir: config.dataDir,
      file,
      migrations: identityMigrations,
    });
    await grantTo(database, runtime);
    return `Restored the backup of ${madeAt.toISOString()}. Start the server with the same --data-dir.`;
  },
);
