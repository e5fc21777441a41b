import { z } from 'zod';
import type { IdentitySettings } from '../settings.ts';
import type { PoolUser } from '../store/user-store.ts';
import {
  ChallengeDeliveryError,
  ChallengeEndedError,
  ChallengeLimitError,
  type ChallengeRound,
  type ChallengeTriggers,
} from '../triggers/challenge-triggers.ts';
import { notAuthorized, tooManyRequests, WireError } from '../wire/wire-error.ts';
import { userAttributes } from './user-attributes.ts';

/** Who is signing in, as the triggers see them. */
export interface ChallengeSubject {
  readonly username: string;
  /** Undefined when no such user exists and the pool hides it. */
  readonly user: PoolUser | undefined;
  readonly clientId: string;
  /** What the person typed. */
  readonly identifier: string;
  readonly clientMetadata?: Readonly<Record<string, string>> | undefined;
}

export interface TriggerContext {
  readonly settings: Pick<IdentitySettings, 'region' | 'userPoolId'>;
  readonly triggers: ChallengeTriggers;
}

export type Decision =
  | { readonly kind: 'tokens' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'ask'; readonly challengeName: string };

export interface CreatedChallenge {
  readonly publicParameters: Readonly<Record<string, string>>;
  readonly privateParameters: Readonly<Record<string, string>>;
  readonly metadata: string | undefined;
}

const parametersSchema = z.record(z.string(), z.string()).nullish();
const defineSchema = z.object({
  challengeName: z.string().nullish(),
  issueTokens: z.boolean().nullish(),
  failAuthentication: z.boolean().nullish(),
});
const createSchema = z.object({
  publicChallengeParameters: parametersSchema,
  privateChallengeParameters: parametersSchema,
  challengeMetadata: z.string().nullish(),
});
const verifySchema = z.object({ answerCorrect: z.boolean().nullish() });

/** Asks the define trigger how the sign-in goes on after these rounds, oldest first. */
export async function decide(
  context: TriggerContext,
  subject: ChallengeSubject,
  session: readonly ChallengeRound[],
): Promise<Decision> {
  const answer = await call('DefineAuthChallenge', defineSchema, () =>
    context.triggers.defineAuthChallenge({
      ...commonEvent(context, subject),
      triggerSource: 'DefineAuthChallenge_Authentication',
      request: { ...commonRequest(subject), session },
      response: {},
    }),
  );
  if (answer.failAuthentication === true) return { kind: 'fail' };
  if (answer.issueTokens === true) return { kind: 'tokens' };
  if (answer.challengeName === 'CUSTOM_CHALLENGE') {
    return { kind: 'ask', challengeName: answer.challengeName };
  }
  throw invalidResponse('DefineAuthChallenge');
}

export async function createChallenge(
  context: TriggerContext,
  subject: ChallengeSubject,
  round: { readonly challengeName: string; readonly session: readonly ChallengeRound[] },
): Promise<CreatedChallenge> {
  const answer = await call('CreateAuthChallenge', createSchema, () =>
    context.triggers.createAuthChallenge({
      ...commonEvent(context, subject),
      triggerSource: 'CreateAuthChallenge_Authentication',
      request: { ...commonRequest(subject), ...round, identifier: subject.identifier },
      response: {},
    }),
  );
  return {
    publicParameters: answer.publicChallengeParameters ?? {},
    privateParameters: answer.privateChallengeParameters ?? {},
    metadata: answer.challengeMetadata ?? undefined,
  };
}

export async function verifyAnswer(
  context: TriggerContext,
  subject: ChallengeSubject,
  round: {
    readonly privateChallengeParameters: Readonly<Record<string, string>>;
    readonly challengeAnswer: string;
  },
): Promise<boolean> {
  const answer = await call('VerifyAuthChallengeResponse', verifySchema, () =>
    context.triggers.verifyAuthChallengeResponse({
      ...commonEvent(context, subject),
      triggerSource: 'VerifyAuthChallengeResponse_Authentication',
      request: { ...commonRequest(subject), ...round },
      response: {},
    }),
  );
  return answer.answerCorrect === true;
}

function commonEvent({ settings }: TriggerContext, subject: ChallengeSubject) {
  return {
    version: '1',
    region: settings.region,
    userPoolId: settings.userPoolId,
    userName: subject.username,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: subject.clientId },
  } as const;
}

function commonRequest(subject: ChallengeSubject) {
  return {
    userAttributes: subject.user === undefined ? {} : userAttributes(subject.user),
    ...(subject.user === undefined && { userNotFound: true }),
    ...(subject.clientMetadata !== undefined && { clientMetadata: subject.clientMetadata }),
  };
}

async function call<Response>(
  trigger: string,
  schema: z.ZodType<Response>,
  invoke: () => Promise<{ readonly response: unknown }>,
): Promise<Response> {
  let answer: { readonly response: unknown };
  try {
    answer = await invoke();
  } catch (error) {
    throw refusalOf(trigger, error);
  }
  const parsed = schema.safeParse(answer?.response);
  if (!parsed.success) throw invalidResponse(trigger);
  return parsed.data;
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
  if (isDatabaseFailure(error)) {
    return new WireError('InternalErrorException', 'Something went wrong.', { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new WireError(
    'UserLambdaValidationException',
    `${trigger} failed with error ${message}.`,
    {
      cause: error,
    },
  );
}

/** PostgreSQL's and Node's errors carry a `code`; their texts are not for the client. */
function isDatabaseFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

function invalidResponse(trigger: string): WireError {
  return new WireError('InvalidLambdaResponseException', `Unrecognizable ${trigger} output`);
}
