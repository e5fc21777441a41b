import type { IdentityClient } from '../core/identity-client.ts';
import { prepareOptions } from '../core/create-identity-client.ts';
import type { Language } from '../core/language.ts';
import type { ResolvedOptions } from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import { requireUserId } from '../profile/require-user-id.ts';
import type { User } from '../profile/user.ts';
import { GraphqlClient } from './graphql-client.ts';
import { HttpClient, NaiveHttpClient } from './http-clients.ts';
import {
  graphqlThrough,
  shellClient,
  type AuthenticationClientOptions,
  type GraphqlSender,
  type RequestSender,
} from './shell-client.ts';
import { BaseAuthenticationClient } from './small-clients.ts';
import { AuthenticationTokenProvider } from './token-provider.ts';

/** Base class of all method groups of the main client. */
export class AuthenticationBase {
  readonly options: ResolvedOptions;
  readonly baseClient: BaseAuthenticationClient;
  readonly tokenProvider: SessionStore;
  readonly httpClient: RequestSender;
  readonly naiveHttpClient: NaiveHttpClient;
  readonly graphqlClient: GraphqlSender;
  /** The client for the functions of this package. Use it to migrate one call at a time. */
  readonly client: IdentityClient;

  constructor(options: AuthenticationClientOptions) {
    this.options = prepareOptions(options);
    const { tokenProvider: Provider, httpClient: Http, graphqlClient: Graphql } = options;
    this.tokenProvider = new (Provider ?? AuthenticationTokenProvider)(this.options);
    this.baseClient = new BaseAuthenticationClient(this.options);
    this.httpClient = new (Http ?? HttpClient)(this.options, this.tokenProvider);
    this.naiveHttpClient = new NaiveHttpClient(this.options);
    const endpoint = `${this.baseClient.appHost}/graphql/v2`;
    this.graphqlClient = new (Graphql ?? GraphqlClient)(endpoint, this.options);
    const client = shellClient(this.options, this.tokenProvider, Http && this.httpClient);
    this.client = Graphql
      ? { ...client, graphql: graphqlThrough(client, this.graphqlClient) }
      : client;
  }

  /** @returns the id of the current user; throws when no user is signed in */
  checkLoggedIn(): string {
    return requireUserId(this.client);
  }

  setCurrentUser(user: User): void {
    this.tokenProvider.setUser(user);
  }

  setToken(token: string): void {
    this.tokenProvider.setToken(token);
  }

  setRequestFrom(requestFrom: string): void {
    this.options.requestFrom = requestFrom;
  }

  setLang(lang: Language): void {
    this.options.lang = lang;
  }
}
