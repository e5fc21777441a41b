import { malformed } from './call-rest.ts';
import { IdentityError } from './identity-error.ts';
import type { IdentityClient } from './identity-client.ts';
import { report } from './report.ts';
import { asRecord, send, statusError, textOf } from './send.ts';
import type { GraphqlCall } from './calls.ts';

/** Calls one GraphQL operation and returns its only root field. */
export async function callGraphql(client: IdentityClient, call: GraphqlCall): Promise<unknown> {
  const { operation, variables, signal } = call;
  const token = call.token ?? client.session.getToken() ?? undefined;
  const document = { text: operation.text, variables, token, signal };
  const data = await callGraphqlData(client, `${client.baseUrl}/graphql/v2`, document);
  if (Object.hasOwn(data, operation.field)) return data[operation.field];
  throw report(client, malformed(client));
}

export interface GraphqlDocument {
  readonly text: string;
  readonly variables: object;
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a GraphQL document and returns all its root fields. */
export async function callGraphqlData(
  client: IdentityClient,
  url: string,
  { text, variables, token, signal }: GraphqlDocument,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await send(client, {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify({ query: text, variables }),
    signal,
  });
  const { errors, data } = asRecord(answer.body);
  if (Array.isArray(errors) && errors.length > 0) throw reportAll(client, errors);
  if (!answer.ok) throw statusError(client, answer);
  return asRecord(data);
}

/** Passes each error to the handler and throws the last one. */
function reportAll(client: IdentityClient, errors: readonly unknown[]): IdentityError {
  const found = errors.map((error) => graphqlError(client, error));
  for (const error of found) report(client, error);
  return found.at(-1) ?? malformed(client);
}

/**
 * The contract has `{ code, message, data }` in place of GraphQL's message text. A plain text is
 * kept unchanged.
 */
function graphqlError(client: IdentityClient, error: unknown): IdentityError {
  const { message: detail } = asRecord(error);
  if (typeof detail === 'string') return new IdentityError(detail, { code: 500 });
  const { code, message, data } = asRecord(detail);
  if (typeof code !== 'number') return malformed(client);
  return new IdentityError(textOf(message), { code, data });
}
