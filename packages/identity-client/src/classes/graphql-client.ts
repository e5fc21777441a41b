import { callGraphqlData } from '../core/call-graphql.ts';
import type { IdentityClientOptions } from '../core/options.ts';
import { shellClient, type GraphqlSender } from './shell-client.ts';

/** Sends a GraphQL document and returns all its root fields. */
export class GraphqlClient implements GraphqlSender {
  readonly endpoint: string;
  readonly options: IdentityClientOptions;

  constructor(endpoint: string, options: IdentityClientOptions) {
    this.endpoint = endpoint;
    this.options = options;
  }

  request({ query, variables, token }: Parameters<GraphqlSender['request']>[0]): Promise<unknown> {
    const client = shellClient(this.options, undefined);
    const call = { text: query, variables: variables ?? {}, token };
    return callGraphqlData(client, this.endpoint, call);
  }
}
