import type { z } from 'zod';
import {
  ChallengeDeliveryError,
  ChallengeEndedError,
  ChallengeLimitError,
  ChallengeUnavailableError,
  type TriggerCall,
} from '../triggers/challenge-triggers.ts';
import { notAuthorized, tooManyRequests, WireError } from '../wire/wire-error.ts';

/** A hosted pool waits this long, and asks up to three times (cognito.md, section 4); neither can be set. */
const TIME_LIMIT_MS = 5_000;
const TRIES = 3;

export interface CallTriggerOptions<Response> {
  /** `DefineAuthChallenge` … */
  readonly name: string;
  readonly schema: z.ZodType<Response>;
  /** Called once for each try. */
  readonly invoke: (call: TriggerCall) => Promise<{ readonly response: unknown }>;
  readonly timeLimitMs?: number;
}

/**
 * Asks a trigger and checks its answer. One that does not answer in time is asked again; one that throws is not.
 * @throws WireError UserLambdaValidationException, InvalidLambdaResponseException or UnexpectedLambdaException
 */
export async function callTrigger<Response>(
  options: CallTriggerOptions<Response>,
): Promise<Response> {
  const { name, schema, timeLimitMs = TIME_LIMIT_MS } = options;
  for (let tryNumber = 1; tryNumber <= TRIES; tryNumber += 1) {
    const outcome = await oneTry(options, timeLimitMs);
    if (outcome === 'timeout') continue;
    if ('error' in outcome) throw refusalOf(name, outcome.error);
    const parsed = schema.safeParse(responseOf(outcome.answer));
    if (!parsed.success) throw invalidResponse(name);
    return parsed.data;
  }
  throw new WireError(
    'UnexpectedLambdaException',
    `${name} failed with error Socket timeout while invoking Lambda function.`,
  );
}

export function invalidResponse(trigger: string): WireError {
  return new WireError('InvalidLambdaResponseException', `Unrecognizable ${trigger} output`);
}

type Outcome = { readonly answer: unknown } | { readonly error: unknown } | 'timeout';

async function oneTry<Response>(
  { invoke }: CallTriggerOptions<Response>,
  timeLimitMs: number,
): Promise<Outcome> {
  const timeUp = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<'timeout'>();
  const timer = setTimeout(() => {
    resolve('timeout');
    timeUp.abort();
  }, timeLimitMs);
  try {
    // A trigger of the operator's may also throw before it gives a promise.
    const answered = (async () => invoke({ signal: timeUp.signal }))().then(
      (answer): Outcome => ({ answer }),
      (error: unknown): Outcome => ({ error }),
    );
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

function responseOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'response' in answer
    ? answer.response
    : undefined;
}

/** A thrown message reaches the client with a full stop behind it (cognito.md, section 2). */
function refusalOf(trigger: string, error: unknown): WireError {
  if (error instanceof ChallengeLimitError) return tooManyRequests(error.retryAfterMs);
  if (error instanceof ChallengeEndedError) {
    return notAuthorized('Invalid session for the user, session is expired.');
  }
  if (error instanceof ChallengeDeliveryError) {
    return new WireError('UnexpectedLambdaException', error.message, { cause: error });
  }
  if (error instanceof ChallengeUnavailableError) {
    const { cause = error } = error;
    return new WireError('InternalErrorException', 'Something went wrong.', { cause });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new WireError(
    'UserLambdaValidationException',
    `${trigger} failed with error ${message}.`,
    { cause: error },
  );
}
