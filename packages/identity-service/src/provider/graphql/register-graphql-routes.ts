import type { FastifyInstance } from 'fastify';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import type { ProviderContext } from '../provider-context.ts';
import { callerOf, languageOf } from '../wire/caller.ts';
import { requireUserOf } from '../wire/require-user.ts';
import type { GraphqlCall } from './graphql-call.ts';
import { limitQuery } from './limit-query.ts';
import { resolvers } from './resolvers.ts';
import { toWireResult } from './to-wire-result.ts';
import { typeDefinitions } from './type-definitions.ts';

const PATH = '/graphql/v2';

/**
 * `POST /graphql/v2`. Every answer is HTTP 200; the message of an error is an object `{code, message, data}`
 * (identity-sdk.md, section 4).
 */
export function registerGraphqlRoutes(app: FastifyInstance, context: ProviderContext): void {
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
  app.post(PATH, async (request, reply) => {
    const caller = await callerOf(context, request).catch((error: unknown) => {
      void reply.send(toWireResult({ errors: [error] }, languageOf(request), context));
    });
    if (caller === undefined) return reply;
    const response = await yoga.handleNodeRequestAndResponse(request, reply, {
      provider: context,
      caller,
      requireUser: () => requireUserOf(context, caller),
    });
    return reply.type('application/json; charset=utf-8').send(await response.text());
  });
}

/** The schema stays unspoken, and operations stay small. */
const onlyWhatClientsNeed: Plugin = {
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
