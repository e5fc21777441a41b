import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type pg from 'pg';
import {
  createGroupAdministration,
  type GroupAdministration,
} from './administration/group-administration.ts';
import {
  createUserAdministration,
  type UserAdministration,
} from './administration/user-administration.ts';
import { systemClock, type Clock } from './clock.ts';
import type { RecordIdentityEvent } from './identity-event.ts';
import { identityPoolOperations } from './identity-pool/identity-pool-operations.ts';
import type { Messenger } from './messenger.ts';
import { loadKeys, type ServiceKeys } from './secrets/load-keys.ts';
import { createSecretBox, type SecretBox } from './secrets/secret-box.ts';
import { createSecretHash } from './secrets/secret-hash.ts';
import { completeSettings, type IdentitySettings, type IdentitySettingsInput } from './settings.ts';
import type { SignedUrlRequest } from './signed-url/parse-signed-url.ts';
import { verifySignedUrl, type SignedUrlViewer } from './signed-url/verify-signed-url.ts';
import { saveAppClient } from './store/app-client-store.ts';
import { deleteExpired } from './store/expiry-store.ts';
import { isOriginRevoked } from './store/refresh-token-store.ts';
import type { ChallengeTriggers } from './triggers/challenge-triggers.ts';
import { createOneTimeCode } from './triggers/one-time-code.ts';
import type { PoolContext } from './user-pool/pool-context.ts';
import { createRateLimits } from './user-pool/rate-limits.ts';
import { createTokenCheck } from './user-pool/token-check.ts';
import { userPoolOperations } from './user-pool/user-pool-operations.ts';
import { openIdConfiguration, type KeySet, type OpenIdConfiguration } from './well-known.ts';
import { dispatch, type OnInternalError, type Operations } from './wire/dispatch.ts';
import type { WireReply, WireRequest } from './wire/wire-reply.ts';

const DAY_MS = 86_400_000;
const GUEST_RETENTION_MS = 30 * DAY_MS;

export interface IdentityServiceOptions {
  /** A database on which `migrateIdentity` has run. */
  readonly pool: pg.Pool;
  readonly messenger: Messenger;
  readonly settings: IdentitySettingsInput;
  readonly clock?: Clock;
  /** Replace single triggers of the custom challenge; the one-time code is the default. */
  readonly triggers?: Partial<ChallengeTriggers>;
  /** Hears of every sign-in, refusal, sign-out and change of a user. */
  readonly record?: RecordIdentityEvent;
  /** Hears of failures that the client only sees as InternalErrorException or UnexpectedLambdaException. */
  readonly onInternalError?: OnInternalError;
}

export interface IdentityService {
  readonly settings: IdentitySettings;
  readonly users: UserAdministration;
  readonly groups: GroupAdministration;
  /** Answers one `POST` of the user pool's or the identity pool's protocol. Never rejects. */
  handle(request: WireRequest): Promise<WireReply>;
  keySet(): KeySet;
  openIdConfiguration(): OpenIdConfiguration;
  /** @throws SignedUrlError when the URL is not a valid one of a person who is signed in */
  verifySignedUrl(request: SignedUrlRequest): Promise<SignedUrlViewer>;
  /** Whether the sign-in that a token came from (`origin_jti`) has ended: what offline checks cannot see. */
  isSignInRevoked(originJti: string): Promise<boolean>;
  /** Deletes what has ended; to be called now and then, an hour apart is plenty. */
  deleteExpired(): Promise<void>;
}

/** Reads the keys (the first start makes them), registers the app client and the administrators' group, and connects the parts. */
export async function createIdentityService(
  options: IdentityServiceOptions,
): Promise<IdentityService> {
  const settings = completeSettings(options.settings);
  const clock = options.clock ?? systemClock;
  const keys = await loadKeys(options.pool, clock);
  const { context, box } = connect(options, { settings, clock, keys });
  const operations = allOperations(context, box);
  const groups = createGroupAdministration(context);
  await registerAppClient(context);
  await groups.ensureGroup({ name: ADMIN_GROUP, precedence: 0 });
  const { pool, hash } = context;
  return {
    settings,
    users: createUserAdministration(context),
    groups,
    handle: (request) => dispatch(operations, request, options.onInternalError ?? (() => {})),
    keySet: () => ({ keys: keys.publicKeys }),
    openIdConfiguration: () => openIdConfiguration(settings.issuer),
    verifySignedUrl: (request) =>
      verifySignedUrl({ db: pool, clock, hash, box, region: settings.region }, request),
    isSignInRevoked: (originJti) => isOriginRevoked(pool, originJti),
    deleteExpired: () =>
      deleteExpired(pool, {
        before: new Date(clock.now() - DAY_MS),
        guestsBefore: new Date(clock.now() - GUEST_RETENTION_MS),
      }),
  };
}

interface Base {
  readonly settings: IdentitySettings;
  readonly clock: Clock;
  readonly keys: ServiceKeys;
}

function connect(
  options: IdentityServiceOptions,
  { settings, clock, keys }: Base,
): { readonly context: PoolContext; readonly box: SecretBox } {
  const { pool, messenger } = options;
  const hash = createSecretHash(keys.pepper);
  const limits = createRateLimits(pool, { clock, hash, limits: settings.limits });
  const oneTimeCode = createOneTimeCode({ db: pool, clock, hash, limits, messenger });
  const context: PoolContext = {
    pool,
    clock,
    settings,
    keys,
    hash,
    limits,
    triggers: { ...oneTimeCode, ...options.triggers },
    tokens: createTokenCheck({ keys, issuer: settings.issuer, clock }),
    record: options.record ?? (() => {}),
  };
  return { context, box: createSecretBox(keys.encryption) };
}

function allOperations(context: PoolContext, box: SecretBox): Operations {
  const services = {
    AWSCognitoIdentityProviderService: userPoolOperations(context),
    AWSCognitoIdentityService: identityPoolOperations({ ...context, box }),
  };
  return new Map(
    Object.entries(services).flatMap(([service, operations]) =>
      Object.entries(operations).map(([name, run]) => [`${service}.${name}`, run]),
    ),
  );
}

async function registerAppClient({ pool, clock, settings }: PoolContext): Promise<void> {
  await saveAppClient(
    pool,
    {
      clientId: settings.userPoolClientId,
      name: 'Device Portal',
      authFlows: ['CUSTOM_AUTH', 'REFRESH_TOKEN_AUTH'],
      userExistenceErrors: settings.userExistenceErrors,
    },
    new Date(clock.now()),
  );
}
