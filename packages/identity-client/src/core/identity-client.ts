import type { Clock } from './clock.ts';
import type { GraphqlCall, RawCall, RestCall } from './calls.ts';
import type { ResolvedOptions } from './options.ts';
import type { SessionStore } from './session-store.ts';
import type { KeyValueStorage } from './storage.ts';

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
