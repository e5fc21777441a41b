import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { z } from 'zod';
import { createPortalUser } from './access/create-first-people.ts';
import { ensureBuiltinRoles } from './access/ensure-builtin-roles.ts';
import { identityMigrations } from './identity-migrations.ts';
import { openIdentity } from './open-identity.ts';
import { freezePublicUrl } from './platform/freeze-setting.ts';
import { openMigrated } from './platform/open-platform.ts';
import { runOperatorCommand } from './platform/run-command.ts';
import { StartError } from './platform/start-error.ts';
import { createPoolDirectory } from './pool-directory.ts';

const USAGE = 'npm run admin -- create EMAIL [--data-dir .data]';

await runOperatorCommand(
  { words: 2, line: USAGE },
  async ({ words: [verb = '', email = ''], config, logger, resources }) => {
    if (verb !== 'create') throw new StartError(`Usage: ${USAGE}`);
    if (!z.email().safeParse(email).success) throw new StartError(`${email} is no e-mail address.`);
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const identity = await openIdentity({
      config,
      publicUrl: await freezePublicUrl(database, config),
      database,
      messenger: { send: () => Promise.reject(new Error('this command sends no messages')) },
    });
    await ensureBuiltinRoles({ database });
    await createPortalUser(
      { database, directory: createPoolDirectory(identity) },
      { email, name: email, role: 'Administrator', groups: [ADMIN_GROUP] },
    );
    return `${email} is an administrator and can sign in with a one-time code.`;
  },
);
