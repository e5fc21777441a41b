import { urlOf } from '../core/base-url.ts';
import { assembleClient, type IdentityClient } from '../core/identity-client.ts';
import {
  resolveOptions,
  type IdentityClientOptions,
  type ResolvedOptions,
} from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import { asRecord } from '../core/send.ts';

/** What a request object of the public package says. */
export interface HttpRequest {
  readonly method?: string;
  readonly url?: string;
  readonly params?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly data?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Anything that sends such requests. */
export interface RequestSender {
  request(config: HttpRequest): Promise<unknown>;
}

/** Anything that sends GraphQL. */
export interface GraphqlSender {
  request(options: {
    readonly query: string;
    readonly variables?: object;
    readonly token?: string;
  }): Promise<unknown>;
}

/** Options of the class shells: three parts can be replaced by an application's own classes. */
export interface AuthenticationClientOptions extends IdentityClientOptions {
  readonly tokenProvider?: new (options: IdentityClientOptions) => SessionStore;
  readonly httpClient?: new (
    options: IdentityClientOptions,
    session: SessionStore,
  ) => RequestSender;
  readonly graphqlClient?: new (endpoint: string, options: IdentityClientOptions) => GraphqlSender;
}

/** The same object again when nothing is missing, so that all shells of one client see one language. */
export function sharedOptions(options: IdentityClientOptions): ResolvedOptions {
  const { headers, timeout, lang, requestFrom, retryTimes } = options;
  const isWhole = headers && timeout && lang && requestFrom && retryTimes;
  return isWhole ? (options as ResolvedOptions) : resolveOptions(options);
}

/** The functions' client behind a shell. */
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

/** GraphQL through an application's own class. */
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
