import type { IdentityService } from '@deviceportal/identity/identity-service';
import type { Provider } from '@deviceportal/identity/provider';
import { createDemoUsers, demoAccounts, rejectDemoUsers } from '../access/demo-users.ts';
import { externalDirectory } from '../access/external-directory.ts';
import { ensureBuiltinRoles } from '../access/data/ensure-builtin-roles.ts';
import { createSignInRecorder, type SignInRecorder } from '../access/sign-in-recorder.ts';
import type { UserDirectory } from '../access/users/user-directory.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Composition } from './composition.ts';
import { registerIdentityRoutes } from './identity-routes.ts';
import { composeMessenger } from './compose-messenger.ts';
import { composeProviderSignIn, type OutsideSignIn } from './compose-viewers.ts';
import { createAccountNotices } from '../messages/account-notices.ts';
import type { NoticeQueue } from '../messages/notice-queue.ts';
import { openIdentity } from './open-identity.ts';
import { describeUnusedPackages } from './missing-package.ts';
import { openProvider, PROVIDER_PATH } from './open-provider.ts';
import { createOutboxEvents, type OutboxEvents } from '../outbox/outbox-events.ts';
import { registerOutboxRoutes } from '../outbox/outbox-routes.ts';
import { hasOwnUserPool } from '../platform/config/provider-origins.ts';
import { createPoolDirectory } from './pool-directory.ts';
import { createProviderDirectory } from './provider-directory.ts';

export interface IdentityParts {
  readonly identity: IdentityService;
  /** Undefined if users sign in elsewhere. */
  readonly provider: Provider | undefined;
  /** Set if users do not sign in at the embedded user pool. */
  readonly outside: OutsideSignIn | undefined;
  readonly directory: UserDirectory;
  /** Messages other than sign-in codes. */
  readonly notices: NoticeQueue;
}

/**
 * User pool, identity pool, provider, and outbox. All server roles verify tokens and signatures;
 * only the role `identity` serves sign-ins. If users do not sign in at the embedded user pool, it
 * has no users and no routes. The identity pool then accepts logins verified by `outside`, or has
 * no routes either.
 * @param elsewhere users who sign in at an external provider
 */
export async function composeIdentity(
  composition: Composition,
  elsewhere: OutsideSignIn | undefined,
): Promise<IdentityParts> {
  const { platform, secrets, named } = composition;
  const { config, database, publicUrl, http, logger } = platform;
  const isEmbedded = config.providerSet.source === 'embedded';
  const hasUserPool = hasOwnUserPool(config.providerSet);
  const outboxEvents = createOutboxEvents();
  const { messenger, notices } = await composeMessenger(composition, outboxEvents);
  const { record } = composeSignInRecorder(composition);
  const queueNotice = createAccountNotices(notices);
  const shared = {
    ...{ config, named, secrets, record, publicUrl, database, messenger, queueNotice },
  };
  const provider = isEmbedded
    ? await openProvider({
        ...shared,
        onInternalError: (error, what) =>
          logger.error({ err: error, what }, 'identity provider failed'),
      })
    : undefined;
  if (provider !== undefined) logUnusedPackages(provider, platform);
  const outside =
    provider === undefined || hasUserPool
      ? elsewhere
      : composeProviderSignIn(composition, provider);
  const identity = await openIdentity({
    ...shared,
    ...(outside && { outside: outside.logins }),
    onInternalError: (error, what) => logger.error({ err: error, what }, 'identity service failed'),
  });
  await ensureBuiltinRoles({ database });
  const isServed = config.roles.has('identity');
  if (isServed)
    registerIdentityRoutes(http, identity, { hasUserPool, origins: config.identityOrigins });
  serveOutbox(composition, outboxEvents);
  if (provider === undefined) {
    return { identity, provider, outside, directory: externalDirectory, notices };
  }
  if (isServed) await http.register(provider.plugin, { prefix: PROVIDER_PATH });
  const directory = hasUserPool ? createPoolDirectory(identity) : createProviderDirectory(provider);
  if (config.production) await rejectDemoUsers({ database });
  else {
    await inTransaction(database, async (tx) => {
      // Another server may be creating the same users.
      await holdUntilCommit(tx, 'demo-users');
      await provider.ensurePeople(demoAccounts);
      await createDemoUsers({ database, directory });
    });
  }
  return { identity, provider, outside, directory, notices };
}

/**
 * Codes on a page of this machine; also if users sign in elsewhere, because the portal sends codes that confirm them. In
 * production, only if the operator selected it, on a loopback host.
 */
function serveOutbox(
  { platform: { config, database, http }, clock }: Composition,
  outboxEvents: OutboxEvents,
): void {
  if (!config.roles.has('identity') || !config.loopback) return;
  if (config.messenger.kind !== 'outbox') return;
  const hasTemplates = !config.production;
  registerOutboxRoutes(http, { database, outboxEvents, clock, hasTemplates });
}

function logUnusedPackages(
  { context: { plugIns } }: Provider,
  { config, logger }: Pick<Composition['platform'], 'config' | 'logger'>,
): void {
  const isUsed = { face: plugIns.face, realName: plugIns.findWrongNumber !== undefined };
  const uses = { face: config.idpFace, realName: config.idpRealName };
  for (const line of describeUnusedPackages(isUsed, uses)) logger.info(line);
}

function composeSignInRecorder({ platform, resources }: Composition): SignInRecorder {
  const { database, logger } = platform;
  return resources.use(
    createSignInRecorder({ database }, (error) =>
      logger.warn({ err: error }, 'sign-in events not recorded'),
    ),
  );
}
