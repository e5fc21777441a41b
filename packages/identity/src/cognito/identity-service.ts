import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type pg from 'pg';
import type { AccountAdministration } from '../administration/account-administration.ts';
import type { GroupAdministration } from '../administration/group-administration.ts';
import {
  createClientAdministration,
  type ClientAdministration,
  type NewClient,
} from '../administration/client-administration.ts';
import type { UserAdministration } from '../administration/user-administration.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { RecordIdentityEvent, WriteIdentityEvent } from '../identity-event.ts';
import { identityPoolOperations } from './identity-pool/identity-pool-operations.ts';
import type { OutsideLogins } from './identity-pool/outside-logins.ts';
import type { Messenger, QueueNotice } from '../messenger.ts';
import { raiseLongestToken } from '../keys/key-pair-store.ts';
import { loadServiceKeys, type ServiceKeys } from '../keys/load-service-keys.ts';
import { rotateKeys, type ComingKey } from '../keys/rotate-keys.ts';
import { createPasskeys } from '../passkeys/create-passkeys.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import { createSigningKeys } from '../keys/signing-keys.ts';
import { createKeySeal, type KeySeal, type SealingKeys } from '../secrets/key-seal.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createSecretHash } from '../secrets/secret-hash.ts';
import { completeSettings, type IdentitySettings, type IdentitySettingsInput } from './settings.ts';
import type { SignedUrlRequest } from './signature/parse-signed-url.ts';
import {
  LIVE_CHANNEL,
  REPORT_FILE,
  verifySignedUrl,
  type SignedUrlUse,
  type SignedUrlViewer,
} from './signature/verify-signed-url.ts';
import { connectSignedParts, type SignedParts } from './connect-signed-parts.ts';
import { findOpenSignIns } from '../sessions/refresh-token-store.ts';
import type { AccessKeyAdministration } from '../access-keys/access-key-administration.ts';
import type { RoleSessions } from './roles/role-sessions.ts';
import type { FindPermissions } from './roles/assume-role.ts';
import type { WriteAct } from '../administration/administration-act.ts';
import { deleteExpired } from './expiry-store.ts';
import { isOriginRevoked } from '../sessions/refresh-token-store.ts';
import {
  findGroupsOfOpenSignIn,
  findSignInsInForce,
  type SignIn,
} from '../sessions/sign-in-store.ts';
import { createTokenCheck } from '../tokens/check-token.ts';
import type { ChallengeTriggers } from './triggers/challenge-triggers.ts';
import { createOneTimeCode } from './triggers/one-time-code.ts';
import { createStoredSendLimits } from './triggers/send-limits.ts';
import { createStoredCodeLedger } from './triggers/stored-code-ledger.ts';
import type { PoolContext } from './user-pool/pool-context.ts';
import { createAccountGuesses } from '../accounts/account-guesses.ts';
import { tellOfLock } from '../accounts/tell-of-lock.ts';
import { createRateLimits } from '../limits/rate-limits.ts';
import { findVerifiedContacts, type VerifiedContacts } from '../accounts/verified-contacts.ts';
import { createStepUpCodes, type StepUpCodes } from '../step-up/step-up-codes.ts';
import { createStepUpPasskeys, type StepUpPasskeys } from '../step-up/step-up-passkeys.ts';
import { FAMILIAR_MS } from './user-pool/sign-in-place.ts';
import { readPoolClaims, type PoolTokenUse } from './user-pool/pool-claims.ts';
import { userPoolOperations } from './user-pool/user-pool-operations.ts';
import { openIdConfiguration, type KeySet, type OpenIdConfiguration } from './well-known.ts';
import { dispatch, type OnInternalError, type Operations } from './wire/dispatch.ts';
import { answerSts, isStsCall } from './sts/answer-sts.ts';
import type { WireReply, WireRequest } from './wire/wire-reply.ts';

const DAY_MS = 86_400_000;
const KEY_USES = ['id', 'access'] as const satisfies readonly PoolTokenUse[];
const GUEST_RETENTION_MS = 30 * DAY_MS;

export interface IdentityServiceOptions {
  /** A database on which `migrateIdentity` has run. */
  readonly pool: pg.Pool;
  /** 32 bytes from outside the database: the keys in it are sealed with them. */
  readonly sealingKey: SealingKeys | Uint8Array;
  readonly messenger: Messenger;
  readonly settings: IdentitySettingsInput;
  /** Asked at each sign-in, instead of the setting. */
  readonly sessionDurationMinutes?: () => number;
  readonly clock?: Clock;
  /** Replace single triggers of the custom challenge; the one-time code is the default. `none`: a pool without them. */
  readonly triggers?: Partial<ChallengeTriggers> | 'none';
  /** Called for every sign-in, rejection, and sign-out. */
  readonly record?: RecordIdentityEvent;
  /** Records changes of passkeys in their transactions; by default, `record` is called. */
  readonly writeEvent?: WriteIdentityEvent;
  /** Writes acts of administration down in their own transaction. */
  readonly writeAct?: WriteAct;
  /** Keeps notices in the transactions of their changes; by default, the messenger sends them. */
  readonly queueNotice?: QueueNotice;
  /**
   * The portal's permissions of a user, for trust policies that require them. By default, users
   * have none.
   */
  readonly findPermissions?: FindPermissions;
  /**
   * People sign in elsewhere: the identity pool takes those logins alone, and nothing of the user pool or of role
   * sessions is answered over the wire.
   */
  readonly outside?: OutsideLogins;
  /**
   * Called for internal errors, of which the client sees only InternalErrorException or
   * UnexpectedLambdaException.
   */
  readonly onInternalError?: OnInternalError;
}

export interface IdentityService {
  readonly settings: IdentitySettings;
  /** Sign-ins, groups and locks of the users. */
  readonly accounts: AccountAdministration;
  readonly users: UserAdministration;
  readonly groups: GroupAdministration;
  readonly clients: ClientAdministration;
  readonly accessKeys: AccessKeyAdministration;
  readonly roleSessions: RoleSessions;
  /** Of all users, wherever they sign in. */
  readonly passkeys: Passkeys;
  /** Codes that confirm users who are signed in, also those of other providers. */
  readonly stepUpCodes: StepUpCodes;
  readonly stepUpPasskeys: StepUpPasskeys;
  /** Verified addresses of an account of any directory; undefined if there is no such account here. */
  findVerifiedContacts(accountId: string): Promise<VerifiedContacts | undefined>;
  /** Answers one `POST` of the protocols of user pool, identity pool or role sessions. Never rejects. */
  handle(request: WireRequest): Promise<WireReply>;
  keySet(): Promise<KeySet>;
  openIdConfiguration(): OpenIdConfiguration;
  /**
   * The viewer of a signed URL of the live channel.
   * @throws SignedUrlError unless it is valid, its user is signed in, and the user's role allows it
   */
  verifySignedUrl(request: SignedUrlRequest): Promise<SignedUrlViewer>;
  /** The same for a link to a file below `/exports/` or `/artefacts/`, signed for service `deviceportal`. */
  verifyFileLink(request: SignedUrlRequest): Promise<SignedUrlViewer>;
  /** Whether the sign-in that a token came from (`origin_jti`) has ended: what offline checks cannot see. */
  isSignInRevoked(originJti: string): Promise<boolean>;
  /**
   * Of these sessions, the active ones: not ended, not expired, and their users neither disabled nor deleted.
   */
  findOpenSignIns(originJtis: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The user's current groups if the session is active. A token contains those of its time of
   * issue.
   */
  findGroupsOfOpenSignIn(originJti: string): Promise<readonly string[] | undefined>;
  /**
   * Publishes new signing keys, which sign after the overlap. The old ones stay published until
   * their last token has expired. Users stay signed in. While new keys are pending, nothing
   * changes.
   * @returns the created keys
   */
  rotateKeys(): Promise<ComingKey<PoolTokenUse>[]>;
  /** Rotates signing keys that are too old, and removes ended ones; to be called now and then, an hour apart is plenty. */
  maintainKeys(): Promise<ComingKey<PoolTokenUse>[]>;
  /** Of many sign-ins those in force, by `originJti`, with the groups of this moment. */
  findSignInsInForce(signIns: readonly SignIn[]): Promise<Map<string, readonly string[]>>;
  /** Deletes what has ended; to be called now and then, an hour apart is plenty. */
  deleteExpired(): Promise<void>;
}

/**
 * Opens the keys (the first start makes them), registers the app client and the administrators' group, and connects the
 * parts.
 * @throws SealMismatchError when the keys of this database were sealed with another key
 */
export async function createIdentityService(
  options: IdentityServiceOptions,
): Promise<IdentityService> {
  const base = await openBase(options);
  const context = connect(options, base);
  const { pool, settings, clock } = context;
  const signed = connectSignedParts(context, options);
  const { groups } = signed;
  const operations = allOperations(context, signed, options.outside);
  const onInternalError = options.onInternalError ?? (() => {});
  const verifyUrl = (request: SignedUrlRequest, use: SignedUrlUse) =>
    verifySignedUrl({ ...context, db: pool, roles: signed.roles }, request, use);
  const clients = createClientAdministration(context);
  await clients.saveClient(webClient(settings));
  await groups.ensureGroup({ name: ADMIN_GROUP, precedence: 0 });
  return {
    settings,
    accounts: signed.accounts,
    users: signed.users,
    groups,
    clients,
    accessKeys: signed.accessKeys,
    roleSessions: signed.roleSessions,
    passkeys: context.passkeys,
    stepUpCodes: createStepUpCodes({ ...context, db: pool, messenger: options.messenger }),
    stepUpPasskeys: createStepUpPasskeys(context),
    findVerifiedContacts: (accountId) => findVerifiedContacts(pool, accountId),
    handle: (request) =>
      options.outside === undefined && isStsCall(request)
        ? answerSts(signed.sts, request, onInternalError)
        : dispatch(operations, request, onInternalError),
    keySet: async () => ({
      keys: (await context.keys.published()).map(({ publicJwk }) => publicJwk),
    }),
    openIdConfiguration: () => openIdConfiguration(settings.issuer),
    verifySignedUrl: (request) => verifyUrl(request, LIVE_CHANNEL),
    verifyFileLink: (request) => verifyUrl(request, REPORT_FILE),
    isSignInRevoked: (originJti) => isOriginRevoked(pool, originJti),
    findOpenSignIns: (originJtis) => findOpenSignIns(pool, originJtis, new Date(clock.now())),
    findGroupsOfOpenSignIn: (originJti) =>
      findGroupsOfOpenSignIn(pool, originJti, new Date(clock.now())),
    rotateKeys: () => rotate(options, base, 0),
    maintainKeys: () => rotate(options, base, settings.keyMaxAgeDays * DAY_MS),
    findSignInsInForce: (signIns) => findSignInsInForce(pool, signIns),
    deleteExpired: () =>
      deleteExpired(pool, {
        before: new Date(clock.now() - DAY_MS),
        guestsBefore: new Date(clock.now() - GUEST_RETENTION_MS),
        placesBefore: new Date(clock.now() - FAMILIAR_MS),
      }),
  };
}

interface Base {
  readonly settings: IdentitySettings;
  readonly clock: Clock;
  readonly seal: KeySeal;
  readonly secrets: ServiceKeys;
}

async function openBase(options: IdentityServiceOptions): Promise<Base> {
  const settings = completeSettings(options.settings);
  const clock = options.clock ?? systemClock;
  const seal = createKeySeal(options.sealingKey);
  const secrets = await loadServiceKeys(options.pool, { clock, seal });
  const base: Base = { settings, clock, seal, secrets };
  // Only missing keys are made here: none is too old for an age without end.
  await rotate(options, base, Infinity);
  await raiseLongestToken(options.pool, KEY_USES, settings.tokenLifetimeSeconds);
  return base;
}

function rotate(
  { pool }: IdentityServiceOptions,
  { settings, clock, seal }: Base,
  ageMs: number,
): Promise<ComingKey<PoolTokenUse>[]> {
  return rotateKeys({
    db: pool,
    clock,
    seal,
    uses: KEY_USES,
    longestTokenSeconds: settings.tokenLifetimeSeconds,
    overlapMs: settings.keyOverlapSeconds * 1_000,
    ageMs,
  });
}

function connect(options: IdentityServiceOptions, base: Base): PoolContext {
  const { settings, clock, seal, secrets } = base;
  const { pool } = options;
  const hash = createSecretHash(secrets.pepper);
  const limits = createRateLimits(pool, { clock, hash, limits: settings.limits });
  const keys = createSigningKeys({ db: pool, clock, seal, uses: KEY_USES });
  const { messenger, record = () => {}, onInternalError = () => {} } = options;
  const address = settings.issuer;
  const onLocked = tellOfLock({ clock, record, messenger, address, onInternalError });
  const guesses = createAccountGuesses(pool, { clock, hash, onLocked });
  return {
    pool,
    clock,
    settings,
    sessionDurationMinutes:
      options.sessionDurationMinutes ?? (() => settings.sessionDurationMinutes),
    guesses,
    passkeys: createPasskeys({
      ...{ db: pool, clock, hash, limits, guesses, record, onInternalError },
      relyingParty: relyingPartyOf(settings.issuer),
      portalUrl: new URL('/', address).href,
      writeEvent: options.writeEvent ?? (async (_client, event) => record(event)),
      writeAct: options.writeAct ?? (async () => {}),
      queueNotice: options.queueNotice ?? ((_client, notice) => messenger.send(notice)),
    }),
    keys,
    hash,
    box: createSecretBox(secrets.encryption),
    limits,
    triggers: chooseTriggers(options, { settings, clock, hash, limits }),
    tokens: createTokenCheck({
      ...{ keys, issuer: settings.issuer, clock, read: readPoolClaims },
      useOf: (claims) => claims.token_use,
    }),
    record,
  };
}

function chooseTriggers(
  { triggers, pool, messenger, onInternalError }: IdentityServiceOptions,
  parts: Pick<PoolContext, 'settings' | 'clock' | 'hash' | 'limits'>,
): ChallengeTriggers | undefined {
  if (triggers === 'none') return undefined;
  const oneTimeCode = createOneTimeCode({
    ledger: createStoredCodeLedger({ ...parts, db: pool }),
    limits: createStoredSendLimits(parts.limits),
    clock: parts.clock,
    messenger,
    hidesUsers: parts.settings.userExistenceErrors === 'ENABLED',
    inBackground: (delivery) =>
      void delivery.catch((error: unknown) => onInternalError?.(error, 'delivery of a code')),
  });
  return { ...oneTimeCode, ...triggers };
}

/** The portal's own client: a browser, which can keep no secret. */
function webClient(settings: IdentitySettings): NewClient {
  return {
    clientId: settings.userPoolClientId,
    name: 'Device Portal',
    userExistenceErrors: settings.userExistenceErrors,
    refreshTokenRotation: settings.refreshTokenRotation,
    retryGracePeriodSeconds: settings.refreshTokenGraceSeconds,
  };
}

function allOperations(
  context: PoolContext,
  signed: SignedParts,
  outside: OutsideLogins | undefined,
): Operations {
  const { roles } = signed;
  const userPool =
    outside === undefined ? { ...userPoolOperations(context), ...signed.operations } : {};
  const services = {
    AWSCognitoIdentityProviderService: userPool,
    AWSCognitoIdentityService: identityPoolOperations({ ...context, roles, outside }),
  };
  return new Map(
    Object.entries(services).flatMap(([service, operations]) =>
      Object.entries(operations).map(([name, run]) => [`${service}.${name}`, run]),
    ),
  );
}
