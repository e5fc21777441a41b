import { baseUrl } from './base-url.ts';
import { systemClock, type Clock } from './clock.ts';
import { callGraphql, type GraphqlCall } from './call-graphql.ts';
import { callRaw, type RawCall } from './call-raw.ts';
import { callRest, type RestCall } from './call-rest.ts';
import { resolveOptions, type IdentityClientOptions, type ResolvedOptions } from './options.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { defaultStorage, type KeyValueStorage } from './storage.ts';

/**
 * First argument of every function of this package. Its only state is the session and the
 * provider's public key.
 */
export interface IdentityClient {
  readonly options: ResolvedOptions;
  readonly session: SessionStore;
  readonly storage: KeyValueStorage;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** Base URL of all calls, without a trailing slash. */
  readonly baseUrl: string;
  /** The provider's public key for passwords, after the first request for it. */
  passwordKey: Promise<string> | undefined;
  rest(call: RestCall): Promise<unknown>;
  graphql(call: GraphqlCall): Promise<unknown>;
  raw(call: RawCall): Promise<unknown>;
}

/** Last argument of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the client of one application.
 *
 * @example
 * const client = createIdentityClient({ appId: 'my-app', appHost: 'https://people.example' });
 * await sendEmailCode(client, { email, scene: EmailScene.LOGIN_VERIFY_CODE });
 * const user = await loginByEmailCode(client, { email, code });
 */
export function createIdentityClient(options: IdentityClientOptions): IdentityClient {
  const client = assembleClient(prepareOptions(options));
  if (client.options.token !== undefined) client.session.setToken(client.options.token);
  return client;
}

/** Options with all defaults, and with the storage that all parts of one client share. */
export function prepareOptions(options: IdentityClientOptions): ResolvedOptions {
  return { ...resolveOptions(options), storage: options.storage ?? defaultStorage() };
}

/**
 * Creates a client on options that are shared with the class shells, which can change the language
 * later.
 */
export function assembleClient(options: ResolvedOptions, session?: SessionStore): IdentityClient {
  const storage = options.storage ?? defaultStorage();
  const client: IdentityClient = {
    options,
    session: session ?? options.session ?? createSessionStore(storage),
    storage,
    clock: options.clock ?? systemClock,
    // Calling the built-in fetch as a method of another object throws "Illegal invocation".
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    baseUrl: baseUrl(options),
    passwordKey: undefined,
    rest: (call) => callRest(client, call),
    graphql: (call) => callGraphql(client, call),
    raw: (call) => callRaw(client, call),
  };
  return client;
}
