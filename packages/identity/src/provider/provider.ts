import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { JWK } from 'jose';
import type pg from 'pg';
import {
  createAccountAdministration,
  type AccountAdministration,
} from '../administration/account-administration.ts';
import type { WriteAct } from '../administration/administration-act.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { RecordIdentityEvent, WriteIdentityEvent } from '../identity-event.ts';
import type { Messenger, QueueNotice } from '../messenger.ts';
import { raiseLongestToken } from '../keys/key-pair-store.ts';
import { loadServiceKeys } from '../keys/load-service-keys.ts';
import { rotateKeys, type ComingKey } from '../keys/rotate-keys.ts';
import { createKeySeal, type SealingKeys } from '../secrets/key-seal.ts';
import { registerRestCalls } from './register-rest-calls.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createSecretHash } from '../secrets/secret-hash.ts';
import { createAccountGuesses } from '../accounts/account-guesses.ts';
import { tellOfLock } from '../accounts/tell-of-lock.ts';
import { createRateLimits } from '../limits/rate-limits.ts';
import {
  createPeopleAdministration,
  type PeopleAdministration,
} from '../administration/people-administration.ts';
import { providerActs } from '../administration/provider-acts.ts';
import {
  createProviderAdministration,
  type ProviderAdministration,
} from '../administration/provider-administration.ts';
import { createApplications } from '../applications/applications.ts';
import { openConnections } from '../connections/open-connections.ts';
import { registerConnectionRoutes } from '../connections/register-connection-routes.ts';
import { createCodes } from '../codes/codes.ts';
import { ensurePeople, type FirstPerson } from './ensure-people.ts';
import { openFaces } from '../face/open-faces.ts';
import { registerGraphqlRoutes } from '../graphql/register-graphql-routes.ts';
import { loadProviderKeys } from '../keys/load-provider-keys.ts';
import { registerLoginRoutes } from '../sign-in/register-login-routes.ts';
import { registerLogoutRoutes } from '../sign-in/register-logout-routes.ts';
import { loadPlugIns } from '../plug-ins/plug-ins.ts';
import { createPasskeys } from '../passkeys/create-passkeys.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import { createPasswords } from '../passwords/passwords.ts';
import type { ProviderContext } from './provider-context.ts';
import {
  completeProviderSettings,
  type ProviderSettings,
  type ProviderSettingsInput,
} from './provider-settings.ts';
import {
  findOpenProviderSessions,
  findRolesOf,
  findRolesOfOpenSignIn,
  listRolesBySubject,
} from '../roles/held-roles.ts';
import { createPasswordChangeGate } from '../sign-in/password-change-gate.ts';
import { registerStandardProtocols } from './register-standard-protocols.ts';
import { createSignIns } from '../sign-in/create-sign-ins.ts';
import { createTickets } from '../tickets/tickets.ts';
import { createStepUpApp, type StepUpApp } from '../step-up/step-up-app.ts';
import { createTokens } from '../sessions/provider-tokens.ts';
import { createUsers } from '../accounts/provider-users.ts';
import { registerWellKnownRoutes } from './register-well-known-routes.ts';
import { allowOrigins } from './wire/allow-origins.ts';
import { answerFailures } from './wire/answer-failures.ts';

const DAY_MS = 86_400_000;
const KEY_USES = ['provider-token'] as const;
/** Those of OpenID Connect, which do not end with the sign-in (oidc-configuration.ts). */
const ID_TOKEN_SECONDS = 3_600;

export interface ProviderOptions {
  /** A database on which `migrateIdentity` has run. */
  readonly pool: pg.Pool;
  /** 32 bytes from outside the database: the keys in it are sealed with them; the same as of the user pool. */
  readonly sealingKey: SealingKeys | Uint8Array;
  readonly messenger: Messenger;
  readonly settings: ProviderSettingsInput;
  /** Asked at each sign-in, instead of the setting. */
  readonly sessionSeconds?: () => number;
  readonly clock?: Clock;
  /** Called for every sign-in, rejection, and change of an account. */
  readonly record?: RecordIdentityEvent;
  /** Records changes of accounts in their transactions; by default, `record` is called. */
  readonly writeEvent?: WriteIdentityEvent;
  /** Records administrative actions in their transactions; by default, they are not recorded. */
  readonly writeAct?: WriteAct;
  /** Keeps notices in the transactions of their changes; by default, the messenger sends them. */
  readonly queueNotice?: QueueNotice;
  /** Whether the access grant of an access key is still in force; by default, none is. */
  readonly isAccessGrantInForce?: ProviderContext['isAccessGrantInForce'];
  /** Called for failures of which the client sees only an internal error. */
  readonly onInternalError?: ProviderContext['onInternalError'];
}

/** The external provider's contract, answered here. */
export interface Provider {
  readonly settings: ProviderSettings;
  readonly context: ProviderContext;
  readonly people: PeopleAdministration;
  /** Sign-ins, roles and locks of the people. */
  readonly accounts: AccountAdministration;
  /** Its applications, their keys, departments, and roles. */
  readonly administration: ProviderAdministration;
  readonly stepUpApp: StepUpApp;
  /** Everything below the application host; register it with the prefix of `baseUrl`. */
  readonly plugin: FastifyPluginAsync;
  /** Checks the tokens of the issuer: RFC 7517. */
  keySet(): Promise<{ readonly keys: readonly JWK[] }>;
  /**
   * Publishes a new signing key, which signs after the overlap. Users stay signed in.
   * @returns undefined if a key is already pending
   */
  rotateKeys(): Promise<ComingKey<'provider-token'> | undefined>;
  /** The same when the key has reached its age; removes keys that have ended. Asked now and then. */
  maintainKeys(): Promise<ComingKey<'provider-token'> | undefined>;
  /**
   * The user's current role codes (namespace `default`) while this session (`sid` of its tokens) is
   * active; undefined after its end.
   */
  findRolesOfOpenSignIn(sessionId: string): Promise<readonly string[] | undefined>;
  /** Of these sessions, the active ones. */
  findOpenSignIns(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
  findRolesOf(userId: string): Promise<readonly string[]>;
  listRolesBySubject(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Makes accounts that are missing; asking twice changes nothing. */
  ensurePeople(people: readonly FirstPerson[]): Promise<void>;
}

/** Each folder's calls. */
const registrations: readonly ((app: FastifyInstance, context: ProviderContext) => void)[] = [
  registerWellKnownRoutes,
  registerGraphqlRoutes,
  registerLoginRoutes,
  registerLogoutRoutes,
];

/**
 * Opens the keys (the first start makes them), saves the application of the settings, and connects the parts.
 * @throws SealMismatchError when the keys of this database were sealed with another key
 */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { context, rotate } = await openContext(options);
  const { settings } = context;
  const { id, ...application } = settings.application;
  await context.applications.save({
    ...application,
    appId: id,
    userPoolId: settings.userPoolId,
    description: null,
    logo: null,
  });
  return {
    settings,
    context,
    people: createPeopleAdministration(context),
    accounts: createAccountAdministration(
      { pool: context.db, clock: context.clock, writeAct: context.writeAct },
      providerActs(context),
    ),
    administration: createProviderAdministration(context),
    stepUpApp: createStepUpApp(context),
    keySet: async () => ({
      keys: (await context.keys.signing.published()).map(({ publicJwk }) => publicJwk),
    }),
    rotateKeys: () => rotate(0),
    maintainKeys: () => rotate(settings.keyMaxAgeDays * DAY_MS),
    findRolesOfOpenSignIn: (sessionId) =>
      findRolesOfOpenSignIn(context.db, sessionId, new Date(context.clock.now())),
    findOpenSignIns: (sessionIds) =>
      findOpenProviderSessions(context.db, sessionIds, new Date(context.clock.now())),
    findRolesOf: (userId) => findRolesOf(context.db, userId),
    listRolesBySubject: () => listRolesBySubject(context.db, settings.userPoolId),
    ensurePeople: (people) => ensurePeople(context, people),
    plugin: async (app) => {
      answerFailures(app, context);
      await allowOrigins(app, context);
      const connections = openConnections(context);
      const faces = openFaces(context);
      app.addHook('onClose', () => faces[Symbol.asyncDispose]());
      registerConnectionRoutes(app, connections);
      for (const register of registrations) register(app, context);
      registerStandardProtocols(app, connections, faces);
      registerRestCalls(app, context, faces);
    },
  };
}

async function openContext(options: ProviderOptions): Promise<{
  readonly context: ProviderContext;
  /** Leaves a key alone that has signed for less. */
  rotate(ageMs: number): Promise<ComingKey<'provider-token'> | undefined>;
}> {
  const settings = completeProviderSettings(options.settings);
  const plugIns = await loadPlugIns(settings);
  const { pool: db, messenger, clock = systemClock } = options;
  const seal = createKeySeal(options.sealingKey);
  const service = await loadServiceKeys(db, { clock, seal });
  const writeEvent: WriteIdentityEvent =
    options.writeEvent ?? (async (_db, event) => options.record?.(event));
  // A key is published as long as a session of its time can be active, because applications send
  // the first ID token at its end.
  const sessionSeconds = options.sessionSeconds ?? (() => settings.sessionSeconds);
  const overlapMs = settings.keyOverlapSeconds * 1_000;
  const rotation = { db, clock, seal, uses: KEY_USES, overlapMs };
  const onRotated = writeRotation(writeEvent);
  const rotate = async (ageMs: number) => {
    const longestTokenSeconds = Math.max(sessionSeconds(), ID_TOKEN_SECONDS);
    const made = await rotateKeys({ ...rotation, longestTokenSeconds, ageMs, onRotated });
    await raiseLongestToken(db, KEY_USES, longestTokenSeconds);
    return made[0];
  };
  // Only a missing key is made here: none is too old for an age without end.
  await rotate(Infinity);
  const keys = await loadProviderKeys(db, { clock, seal });
  const hash = createSecretHash(service.pepper);
  const box = createSecretBox(service.encryption);
  const limits = createRateLimits(db, { clock, hash, limits: settings.limits });
  const base = {
    ...{ db, clock, hash, box, settings, sessionSeconds, plugIns, keys, messenger, limits },
  };
  const applications = createApplications(base);
  const { record = () => {}, onInternalError = () => {} } = options;
  const address = settings.baseUrl;
  const onLocked = tellOfLock({ clock, record, messenger, address, onInternalError });
  const guesses = createAccountGuesses(db, { clock, hash, onLocked });
  const users = createUsers(base);
  const writeAct = options.writeAct ?? (async () => {});
  const parts = {
    ...base,
    applications,
    guesses,
    users,
    passkeys: createPasskeys({
      ...{ db, clock, hash, limits, guesses, record, writeEvent, writeAct, onInternalError },
      relyingParty: relyingPartyOf(settings.baseUrl),
      portalUrl: new URL('/', address).href,
      queueNotice: options.queueNotice ?? ((_client, notice) => messenger.send(notice)),
    }),
    everyApplication: applications,
    passwords: createPasswords(keys, {
      requirement: settings.passwordStrength,
      shortest: settings.shortestPassword,
      costBits: settings.passwordCostBits,
    }),
    codes: createCodes({ ...base, guesses, users, onInternalError }),
    tickets: createTickets(base),
    tokens: createTokens(base),
    record,
    writeEvent,
    writeAct,
    isAccessGrantInForce: options.isAccessGrantInForce ?? (async () => false),
    onInternalError,
  };
  const signIns = createSignIns(parts);
  signIns.addGate(createPasswordChangeGate(parts));
  return { context: { ...parts, signIns }, rotate };
}

function writeRotation(writeEvent: WriteIdentityEvent) {
  return (client: pg.PoolClient, { kid, signsFrom }: ComingKey, at: Date): Promise<void> =>
    writeEvent(client, {
      kind: 'signingKeyRotated',
      at,
      sub: undefined,
      username: undefined,
      address: undefined,
      detail: `${kid}: ${signsFrom.toISOString()}`,
    });
}
