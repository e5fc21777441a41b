import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';
import { callerOf, languageOf } from '../wire/caller.ts';
import type { AnswerGraphql } from './answer-graphql.ts';
import { toWireResult } from './to-wire-result.ts';

const PATH = '/graphql/v2';

/**
 * `POST /graphql/v2`. Every answer is HTTP 200; the message of an error is an object `{code, message, data}`
 * (identity-sdk.md, section 4).
 */
export function registerGraphqlRoutes(app: FastifyInstance, context: ProviderContext): void {
  let opened: Promise<AnswerGraphql> | undefined;
  // The library is large: whoever only starts a server does not wait for it.
  const open = (): Promise<AnswerGraphql> =>
    (opened ??= import('./answer-graphql.ts').then(({ createAnswerGraphql }) =>
      createAnswerGraphql(context),
    ));
  app.post(PATH, async (request, reply) => {
    const caller = await callerOf(context, request).catch((error: unknown) => {
      void reply.send(toWireResult({ errors: [error] }, languageOf(request), context));
    });
    if (caller === undefined) return reply;
    const answer = await open();
    return reply
      .type('application/json; charset=utf-8')
      .send(await answer({ request, reply }, caller));
  });
}
