import { urlOf } from '../core/base-url.ts';
import type { IdentityClient } from '../core/identity-client.ts';
import { assembleClient } from '../core/create-identity-client.ts';
import {
  resolveOptions,
  type IdentityClientOptions,
  type ResolvedOptions,
} from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import { asRecord } from '../core/send.ts';

/** Request object of `authing-js-sdk`. */
export interface HttpRequest {
  readonly method?: string;
  readonly url?: string;
  readonly params?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly data?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends such requests. */
export interface RequestSender {
  request(config: HttpRequest): Promise<unknown>;
}

/** Sends GraphQL documents. */
export interface GraphqlSender {
  request(options: {
    readonly query: string;
    readonly variables?: object;
    readonly token?: string;
  }): Promise<unknown>;
}

/** Options of the classes. An application can replace three parts by its own classes. */
export interface AuthenticationClientOptions extends IdentityClientOptions {
  readonly tokenProvider?: new (options: IdentityClientOptions) => SessionStore;
  readonly httpClient?: new (
    options: IdentityClientOptions,
    session: SessionStore,
  ) => RequestSender;
  readonly graphqlClient?: new (endpoint: string, options: IdentityClientOptions) => GraphqlSender;
}

/**
 * Returns the same object when it is already complete, so that all classes of one client share one
 * language.
 */
export function sharedOptions(options: IdentityClientOptions): ResolvedOptions {
  const { headers, timeout, lang, requestFrom, retryTimes } = options;
  const isWhole = headers && timeout && lang && requestFrom && retryTimes;
  return isWhole ? (options as ResolvedOptions) : resolveOptions(options);
}

/** The client for the functions that a class calls. */
export function shellClient(
  options: IdentityClientOptions,
  session: SessionStore | undefined,
  sender?: RequestSender,
): IdentityClient {
  const client = assembleClient(sharedOptions(options), session);
  return sender ? { ...client, rest: restThrough(client, sender) } : client;
}

function restThrough(client: IdentityClient, sender: RequestSender): IdentityClient['rest'] {
  return ({ base, path, query, method, body, token }) =>
    sender.request({
      method,
      url: urlOf(base ?? client.baseUrl, path, query),
      ...(body ? { data: body } : {}),
      ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    });
}

/** Sends GraphQL through the application's own class. */
export function graphqlThrough(
  client: IdentityClient,
  sender: GraphqlSender,
): IdentityClient['graphql'] {
  return async ({ operation, variables, token }) => {
    const known = token ?? client.session.getToken();
    const answer = await sender.request({
      query: operation.text,
      variables,
      ...(known ? { token: known } : {}),
    });
    return asRecord(answer)[operation.field];
  };
}
