import { resolve } from 'node:path';
import { exportsDirOf } from './audit-trail/exports-dir-of.ts';
import { writeBackup } from './platform/backup/write-backup.ts';
import { openUnmigrated } from './platform/database/open-migrated.ts';
import { runOperatorCommand } from './platform/run-command.ts';

await runOperatorCommand(
  { words: 1, line: 'npm run backup -- FILE [--data-dir .data]' },
  async ({ words: [name = ''], config, logger, resources }) => {
    const { database } = await openUnmigrated(resources, config, { logger, exclusive: false });
    const file = resolve(name);
    const tables = await writeBackup({
      database,
      dataDir: config.dataDir,
      file,
      clock: () => new Date(),
    });
    return `${tables} tables, the certificate authority, files of software versions, files that commands collected and cold months of the audit trail are in ${file}. It holds secrets: keep it safe. Audit exports are files of their own in ${exportsDirOf(config)}.`;
  },
);
