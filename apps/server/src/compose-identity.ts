import type { IdentityService } from '@deviceportal/identity-service/identity-service';
import { createFirstPeople } from './access/create-first-people.ts';
import { ensureBuiltinRoles } from './access/ensure-builtin-roles.ts';
import type { UserDirectory } from './access/user-directory.ts';
import type { Composition } from './composition.ts';
import { registerIdentityRoutes } from './identity-routes.ts';
import { createMailMessenger } from './mail/mail-messenger.ts';
import { openIdentity } from './open-identity.ts';
import { createOutboxMessenger } from './outbox/outbox-messenger.ts';
import { registerOutboxRoutes } from './outbox/outbox-routes.ts';
import { StartError } from './platform/start-error.ts';
import { createPoolDirectory } from './pool-directory.ts';

export interface IdentityParts {
  readonly identity: IdentityService;
  readonly directory: UserDirectory;
}

/** User pool, identity pool and outbox. Every role checks tokens and signatures; one role answers sign-ins. */
export async function composeIdentity({
  platform,
  clock,
  print,
}: Composition): Promise<IdentityParts> {
  const { config, database, publicUrl, http, logger } = platform;
  if (config.providerSet.kind === 'authing') {
    throw new StartError(
      `DEVICEPORTAL_REGION ${config.region} or DEVICEPORTAL_PROVIDER_SET selects "authing", which this release cannot sign in with yet.`,
    );
  }
  const messenger =
    config.messenger.kind === 'smtp'
      ? createMailMessenger(config.messenger)
      : createOutboxMessenger({ database, clock }, ({ to, code }) => {
          if (config.loopback) print(`Sign-in code for ${to}: ${code}`);
        });
  const identity = await openIdentity({
    config,
    publicUrl,
    database,
    messenger,
    onInternalError: (error) => logger.error({ err: error }, 'identity service failed'),
  });
  const directory = createPoolDirectory(identity);
  await ensureBuiltinRoles({ database });
  if (!config.production) await createFirstPeople({ database, directory });
  if (config.roles.has('identity')) {
    registerIdentityRoutes(http, identity);
    // Production has an outbox only where its operator chose one, on a loopback host.
    if (config.loopback && config.messenger.kind === 'outbox')
      registerOutboxRoutes(http, { database });
  }
  return { identity, directory };
}
