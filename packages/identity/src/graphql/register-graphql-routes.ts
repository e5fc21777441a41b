import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import { callerOf, languageOf } from '../provider/wire/caller-of.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { AnswerGraphql } from './answer-graphql.ts';
import { isHarmlessOperation } from './is-harmless-operation.ts';
import { toWireResult } from './to-wire-result.ts';

const PATH = '/graphql/v2';

/**
 * `POST /graphql/v2`. Every answer is HTTP 200; the message of an error is an object `{code, message, data}`
 * (identity-sdk.md, section 4).
 */
export function registerGraphqlRoutes(app: FastifyInstance, context: ProviderContext): void {
  let opened: Promise<AnswerGraphql> | undefined;
  // The library is large and loaded at the first use, so that it does not delay the start.
  const open = (): Promise<AnswerGraphql> =>
    (opened ??= import('./answer-graphql.ts').then(({ createAnswerGraphql }) =>
      createAnswerGraphql(context),
    ));
  app.post(PATH, async (request, reply) => {
    const refuse = (error: unknown): void =>
      void reply.send(toWireResult({ errors: [error] }, languageOf(request), context));
    if (!isHarmlessOperation(request.body)) {
      refuse(new ProviderError(refusals.invalidParameters));
      return reply;
    }
    const caller = await callerOf(context, request).catch(refuse);
    if (caller === undefined) return reply;
    const answer = await open();
    return reply.type('application/json; charset=utf-8').send(await answer(request.body, caller));
  });
}
