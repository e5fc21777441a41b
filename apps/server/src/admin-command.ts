import { accessKeyWorks } from './admin/access-keys.ts';
import type { AdminWork } from './admin/admin-work.ts';
import { createAdministrator } from './admin/create-administrator.ts';
import { createBackupIdentity } from './admin/create-backup-identity.ts';
import { rotateSignInKeys } from './admin/rotate-sign-in-keys.ts';
import { unlockAccount } from './admin/unlock-account.ts';
import { runOperatorCommand } from './platform/run-command.ts';
import { StartError } from './platform/start-error.ts';

const works: Readonly<Record<string, AdminWork>> = {
  create: createAdministrator,
  unlock: unlockAccount,
  'rotate-keys': rotateSignInKeys,
  ...accessKeyWorks,
  'create-backup-identity': createBackupIdentity,
};

const forms = Object.entries(works).map(([verb, { usage }]) => `${verb} ${usage}`.trim());
const USAGE = `npm run admin -- ${forms.join(' | ')} [--data-dir .data]`;

await runOperatorCommand({ words: [1, 2, 3], line: USAGE }, async (context) => {
  const [verb = '', ...words] = context.words;
  const work = Object.hasOwn(works, verb) ? works[verb] : undefined;
  if (!work?.words.includes(words.length)) throw new StartError(`Usage: ${USAGE}`);
  return work.run(context, words);
});
