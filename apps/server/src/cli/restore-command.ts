import { resolve } from 'node:path';
import { composeRestore } from '../compose/compose-restore.ts';
import { identityMigrations } from '../compose/identity-migrations.ts';
import { readIdentities } from '../platform/backup/backup-encryption.ts';
import type { BackupAccess } from '../platform/backup/open-backup.ts';
import { restoreBackup } from '../platform/backup/restore-backup.ts';
import { grantTo, openAsOwner } from '../platform/database/open-migrated.ts';
import { runOperatorCommand, type CommandContext } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';
import { restoreFromArchive } from './restore-from-archive.ts';

const USAGE =
  'npm run restore -- (FILE | --to TIME|latest [--trial]) (--identity FILE | --plaintext) [--checkpoint FILE] [--audit-key KEY,…] [--trust-keys-in-backup] (--erasures FILE | --no-erasures) [--data-dir .data]';

await runOperatorCommand(
  {
    words: [0, 1],
    line: USAGE,
    options: {
      identity: 'value',
      plaintext: 'switch',
      checkpoint: 'value',
      'audit-key': 'value',
      'trust-keys-in-backup': 'switch',
      erasures: 'value',
      'no-erasures': 'switch',
      to: 'value',
      trial: 'switch',
    },
  },
  async (context) => {
    const { words, options } = context;
    if ((words.length === 0) !== options.has('to') || (options.has('trial') && words.length > 0)) {
      throw new StartError(`Usage: ${USAGE}`);
    }
    const access = await accessOf(options);
    if (words[0] !== undefined) return restoreFile(context, words[0], access);
    if (access !== 'plaintext') return restoreFromArchive(context, access.identities);
    throw new StartError(
      'Scheduled backups are encrypted. Set their identity file with --identity.',
    );
  },
);

async function restoreFile(
  { options, config, logger, resources }: CommandContext,
  name: string,
  access: BackupAccess,
): Promise<string> {
  const { owner: database, runtime } = await openAsOwner(resources, config, { logger });
  const { dataDir } = config;
  const { lines, ...parts } = await composeRestore(resources, {
    ...{ database, config, options, keptDays: config.retention.auditTrailColdDays },
    now: new Date(),
  });
  const madeAt = await restoreBackup({
    ...{ database, dataDir, access },
    file: resolve(name),
    migrations: identityMigrations,
    ...parts,
  });
  await grantTo(database, runtime);
  return [
    `Restored the backup of ${madeAt.toISOString()}.`,
    ...lines(),
    'Start the server with the same --data-dir.',
  ].join('\n');
}

async function accessOf(options: ReadonlyMap<string, string>): Promise<BackupAccess> {
  const identity = options.get('identity');
  const isPlain = options.has('plaintext');
  if (isPlain === (identity !== undefined)) {
    throw new StartError(
      'Set the identity file of the backup with --identity, or use --plaintext for a backup that is not encrypted.',
    );
  }
  return identity === undefined
    ? 'plaintext'
    : { identities: await readIdentities(resolve(identity)) };
}
