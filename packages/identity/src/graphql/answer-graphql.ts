import { createGraphQLError, createSchema, createYoga, type Plugin } from 'graphql-yoga';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { requireUserOf } from '../provider/wire/require-user.ts';
import type { GraphqlCall } from './graphql-call.ts';
import { isTooMuchToParse } from './is-too-much-to-parse.ts';
import { limitQuery } from './limit-query.ts';
import { resolvers } from './resolvers.ts';
import { toWireResult } from './to-wire-result.ts';
import { typeDefinitions } from './type-definitions.ts';

const ADDRESS = 'http://localhost/graphql';

/** @param body the operation, as JSON has it */
export type AnswerGraphql = (body: unknown, caller: Caller) => Promise<string>;

/** Answers operations of the contract's schema. */
export function createAnswerGraphql(context: ProviderContext): AnswerGraphql {
  const yoga = createYoga<GraphqlCall>({
    schema: createSchema<GraphqlCall>({ typeDefs: typeDefinitions, resolvers }),
    graphqlEndpoint: '*',
    logging: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    maskedErrors: false,
    multipart: false,
    // It keeps a thousand queries of strangers for an hour, each a hundred times as large as its text.
    parserAndValidationCache: false,
    batching: false,
    plugins: [onlyWhatClientsNeed, answersOfTheContract],
  });
  return async (body, caller) => {
    // The body has been read; the address and the headers are the client's, and nothing here needs them.
    const operation = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await yoga.fetch(ADDRESS, operation, {
      provider: context,
      caller,
      requireUser: () => requireUserOf(context, caller),
    });
    return response.text();
  };
}

/** The schema stays unspoken, and operations stay small. */
const onlyWhatClientsNeed: Plugin = {
  onParams({ params: { query }, setResult }) {
    if (typeof query !== 'string' || !isTooMuchToParse(query)) return;
    setResult({ errors: [createGraphQLError('The query is too large.')] });
  },
  onValidate({ addValidationRule }) {
    addValidationRule(limitQuery);
  },
};

const answersOfTheContract: Plugin<object, GraphqlCall> = {
  onResultProcess({ setResultProcessor, serverContext }) {
    setResultProcessor(
      (result, { Response }) =>
        Response.json(
          toWireResult(
            result as { readonly data?: unknown; readonly errors?: readonly unknown[] },
            serverContext.caller.language,
            serverContext.provider,
          ),
        ),
      'application/json',
    );
  },
};
