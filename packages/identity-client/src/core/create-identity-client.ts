import { baseUrl } from './base-url.ts';
import { callGraphql } from './call-graphql.ts';
import { callRaw } from './call-raw.ts';
import { callRest } from './call-rest.ts';
import { systemClock } from './clock.ts';
import type { IdentityClient } from './identity-client.ts';
import { resolveOptions, type IdentityClientOptions, type ResolvedOptions } from './options.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { defaultStorage } from './storage.ts';

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
