import { identityMigrations } from '../compose/identity-migrations.ts';
import {
  migrateAsOwner,
  openAsOwner,
  upgradeEmbedded,
} from '../platform/database/open-migrated.ts';
import { runOperatorCommand } from '../platform/process/run-command.ts';

await runOperatorCommand(
  { words: 0, line: 'npm run migrate [-- --data-dir .data]' },
  async ({ config, logger, resources }) => {
    await upgradeEmbedded(config, { logger, migrations: identityMigrations });
    const databases = await openAsOwner(resources, config, { logger, exclusive: false });
    await migrateAsOwner(databases, identityMigrations);
    return 'The database schema is up to date.';
  },
);
