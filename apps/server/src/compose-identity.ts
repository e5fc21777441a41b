import type { IdentityService } from '@deviceportal/identity-service/identity-service';
import type { Provider } from '@deviceportal/identity-service/provider';
import type { OutsideLogins } from '@deviceportal/identity-service/outside-logins';
import {
  createFirstPeople,
  firstAccounts,
  refuseFirstPeople,
} from './access/create-first-people.ts';
import { externalDirectory } from './access/external-directory.ts';
import { ensureBuiltinRoles } from './access/ensure-builtin-roles.ts';
import { createSignInRecorder, type SignInRecorder } from './access/sign-in-recorder.ts';
import type { UserDirectory } from './access/user-directory.ts';
import type { Composition } from './composition.ts';
import { registerIdentityRoutes } from './identity-routes.ts';
import { composeMessenger } from './compose-messenger.ts';
import type { NoticeQueue } from './messages/notice-queue.ts';
import { openIdentity } from './open-identity.ts';
import { openProvider, PROVIDER_PATH } from './open-provider.ts';
import { createOutboxBell } from './outbox/outbox-bell.ts';
import { registerOutboxRoutes } from './outbox/outbox-routes.ts';
import { StartError } from './platform/start-error.ts';
import { createPoolDirectory } from './pool-directory.ts';

export interface IdentityParts {
  readonly identity: IdentityService;
  /** Undefined where people sign in elsewhere. */
  readonly provider: Provider | undefined;
  readonly directory: UserDirectory;
  /** Messages that are no part of a sign-in. */
  readonly notices: NoticeQueue;
}

/**
 * User pool, identity pool and outbox. Every role checks tokens and signatures; one role answers sign-ins. Where people
 * sign in elsewhere, the embedded user pool has no users and no address; the identity pool takes the logins that
 * `outside` checks, or has no address either.
 */
export async function composeIdentity(
  composition: Composition,
  outside: OutsideLogins | undefined,
): Promise<IdentityParts> {
  const { platform } = composition;
  const { config, database, publicUrl, http, logger } = platform;
  const isEmbedded = config.providerSet.source === 'embedded';
  if (isEmbedded && config.providerSet.kind === 'authing') {
    throw new StartError(
      `DEVICEPORTAL_REGION ${config.region} or DEVICEPORTAL_PROVIDER_SET selects "authing", of which this release has no embedded one yet: name the external provider with DEVICEPORTAL_AUTHING_APP_ID, DEVICEPORTAL_AUTHING_HOST, DEVICEPORTAL_AUTHING_ISSUER and DEVICEPORTAL_AUTHING_KEY_SET_URL.`,
    );
  }
  const bell = createOutboxBell();
  const { messenger, notices } = composeMessenger(composition, bell);
  const { record } = composeSignInRecorder(composition);
  const shared = { config, record, publicUrl, database, messenger };
  const identity = await openIdentity({
    ...shared,
    ...(outside && { outside }),
    onInternalError: (error) => logger.error({ err: error }, 'identity service failed'),
  });
  await ensureBuiltinRoles({ database });
  const isServed = config.roles.has('identity') && (isEmbedded || outside !== undefined);
  if (isServed) registerIdentityRoutes(http, identity, { hasUserPool: isEmbedded });
  if (!isEmbedded) return { identity, provider: undefined, directory: externalDirectory, notices };
  const provider = await openProvider({
    ...shared,
    onInternalError: (error, what) => logger.error({ err: error, what }, 'the provider failed'),
  });
  if (isServed) await http.register(provider.plugin, { prefix: PROVIDER_PATH });
  const directory = createPoolDirectory(identity);
  if (config.production) await refuseFirstPeople({ database });
  else {
    await createFirstPeople({ database, directory });
    await provider.ensurePeople(firstAccounts);
  }
  // Production has an outbox only where its operator chose one, on a loopback host.
  if (config.roles.has('identity') && config.loopback && config.messenger.kind === 'outbox') {
    registerOutboxRoutes(http, {
      database,
      bell,
      clock: composition.clock,
      hasTemplates: !config.production,
    });
  }
  return { identity, provider, directory, notices };
}

function composeSignInRecorder({ platform, resources }: Composition): SignInRecorder {
  const { database, logger } = platform;
  return resources.use(
    createSignInRecorder({ database }, (error) =>
      logger.warn({ err: error }, 'what happened at the sign-in was not written'),
    ),
  );
}
