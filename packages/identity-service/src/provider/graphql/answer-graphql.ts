import type { FastifyReply, FastifyRequest } from 'fastify';
import { createGraphQLError, createSchema, createYoga, type Plugin } from 'graphql-yoga';
import type { ProviderContext } from '../provider-context.ts';
import type { Caller } from '../wire/caller.ts';
import { requireUserOf } from '../wire/require-user.ts';
import type { GraphqlCall } from './graphql-call.ts';
import { isNestedTooDeep } from './is-nested-too-deep.ts';
import { limitQuery } from './limit-query.ts';
import { resolvers } from './resolvers.ts';
import { toWireResult } from './to-wire-result.ts';
import { typeDefinitions } from './type-definitions.ts';

export type AnswerGraphql = (
  call: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  caller: Caller,
) => Promise<string>;

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
    batching: false,
    plugins: [onlyWhatClientsNeed, answersOfTheContract],
  });
  return async ({ request, reply }, caller) => {
    const response = await yoga.handleNodeRequestAndResponse(request, reply, {
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
    if (typeof query !== 'string' || !isNestedTooDeep(query)) return;
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
