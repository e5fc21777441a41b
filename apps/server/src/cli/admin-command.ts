import { accessKeyWorks } from './admin/access-keys.ts';
import { acceptSecretOf } from './admin/accept-secret.ts';
import type { AdminWork } from './admin/admin-work.ts';
import { copySecretsTo } from './admin/copy-secrets.ts';
import { copyFilesOf } from './admin/copy-files.ts';
import { createArchiveTable } from './admin/create-archive-table.ts';
import { createAdministrator } from './admin/create-administrator.ts';
import { createBackupIdentity } from './admin/create-backup-identity.ts';
import { createNatsIssuer } from './admin/create-nats-issuer.ts';
import { deviceKeyWorks } from './admin/device-keys.ts';
import { listBackups } from './admin/list-backups.ts';
import { fetchBackup } from './admin/fetch-backup.ts';
import { removePasskeys } from './admin/remove-passkeys.ts';
import { rotateOneOf } from './admin/rotate.ts';
import { rotateSignInKeys } from './admin/rotate-sign-in-keys.ts';
import { showIotPolicy } from './admin/show-iot-policy.ts';
import { showKeys } from './admin/show-keys.ts';
import { unlockAccount } from './admin/unlock-account.ts';
import { rotations } from '../compose/compose-rotations.ts';
import { runOperatorCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

const works: Readonly<Record<string, AdminWork>> = {
  create: createAdministrator,
  unlock: unlockAccount,
  'remove-passkeys': removePasskeys,
  'rotate-keys': rotateSignInKeys,
  ...deviceKeyWorks,
  ...accessKeyWorks,
  'create-backup-identity': createBackupIdentity,
  'create-nats-issuer': createNatsIssuer,
  backups: listBackups,
  'fetch-backup': fetchBackup,
  keys: showKeys,
  rotate: rotateOneOf(rotations),
  'accept-secret': acceptSecretOf,
  'copy-secrets': copySecretsTo,
  'copy-files': copyFilesOf,
  'create-archive-table': createArchiveTable,
  'iot-policy': showIotPolicy,
};

const forms = Object.entries(works).map(([verb, { usage }]) => `${verb} ${usage}`.trim());
const USAGE = `npm run admin -- ${forms.join(' | ')} [--data-dir .data]`;

const options = { now: 'switch', 'broker-ready': 'switch' } as const;
await runOperatorCommand({ words: [1, 2, 3], line: USAGE, options }, async (context) => {
  const [verb = '', ...words] = context.words;
  const work = Object.hasOwn(works, verb) ? works[verb] : undefined;
  if (!work?.words.includes(words.length)) throw new StartError(`Usage: ${USAGE}`);
  return work.run(context, words);
});
