import { resolve } from 'node:path';
import { identityMigrations } from '../compose/identity-migrations.ts';
import { openOwnSecrets } from '../installation/open-own-secrets.ts';
import { requireFinishedRestore } from '../platform/backup/unfinished-restore.ts';
import { writeBackup } from '../platform/backup/write-backup.ts';
import { openUnmigrated } from '../platform/database/open-migrated.ts';
import { openFilePlaces, openFiles } from '../platform/files/open-files.ts';
import { runOperatorCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

await runOperatorCommand(
  {
    words: 1,
    line: 'npm run backup -- FILE (--recipient age1…[,age1…] | --plaintext) [--data-dir .data]',
    options: { plaintext: 'switch' },
  },
  async ({ words: [name = ''], options, config, logger, resources }) => {
    const recipients = options.has('plaintext') ? 'plaintext' : config.backupRecipients;
    if (recipients.length === 0) {
      throw new StartError(
        'Set a recipient with --recipient (DEVICEPORTAL_BACKUP_RECIPIENT). "npm run admin -- create-backup-identity FILE" creates one. A backup contains keys of the installation. With --plaintext, the file is not encrypted.',
      );
    }
    const { database } = await openUnmigrated(resources, config, { logger, exclusive: false });
    await requireFinishedRestore(database.pool, config.dataDir);
    const places = await openFilePlaces(config);
    const secrets = await openOwnSecrets({ database, config });
    const file = resolve(name);
    const tables = await writeBackup({
      database,
      dataDir: config.dataDir,
      files: openFiles(places, config),
      file,
      clock: () => new Date(),
      recipients,
      migrations: identityMigrations,
      auditKeys: secrets.signingKeys('audit'),
    });
    return `Backup written to ${file}: ${tables} tables, keys, certificates, software files, collected files, and archived months of the audit trail. ${recipients === 'plaintext' ? 'It is not encrypted. Protect it like a password' : `It can be decrypted with the identity of ${recipients.join(', ')}`}. Reports and audit exports are not included. They are in ${places.reports.name}.`;
  },
);
