import type { AskedFrom } from '../../messenger.ts';

/**
 * The three triggers of the custom challenge, with the same events as the Lambda functions of a hosted pool
 * (cognito.md, section 4), so that the same functions run in both.
 */

export interface ChallengeRound {
  readonly challengeName: string;
  readonly challengeResult: boolean;
  readonly challengeMetadata?: string;
}

interface CommonEvent<Source extends string, Request, Response> {
  readonly version: '1';
  readonly triggerSource: Source;
  readonly region: string;
  readonly userPoolId: string;
  readonly userName: string;
  readonly callerContext: { readonly awsSdkVersion: string; readonly clientId: string };
  readonly request: Request;
  readonly response: Response;
}

interface CommonRequest {
  readonly userAttributes: Readonly<Record<string, string>>;
  /** Set only if the pool hides which users exist. */
  readonly userNotFound?: boolean;
  /** From RespondToAuthChallenge, never from InitiateAuth. */
  readonly clientMetadata?: Readonly<Record<string, string>>;
}

/** Source of a sign-in. */
export interface SignInPlace {
  /** A pseudonym of the network address. */
  readonly name: string;
  /** Whether the person has signed in from there before. */
  readonly isFamiliar: boolean;
}

export type DefineAuthChallengeEvent = CommonEvent<
  'DefineAuthChallenge_Authentication',
  CommonRequest & { readonly session: readonly ChallengeRound[] },
  {
    readonly challengeName?: string | null;
    readonly issueTokens?: boolean | null;
    readonly failAuthentication?: boolean | null;
  }
>;

export type CreateAuthChallengeEvent = CommonEvent<
  'CreateAuthChallenge_Authentication',
  CommonRequest & {
    readonly challengeName: string;
    readonly session: readonly ChallengeRound[];
    /** The typed name, so that a phone number receives an SMS. Not set by a hosted pool. */
    readonly identifier?: string;
    /** Source of the request, for the message. Not set by a hosted pool. */
    readonly askedFrom?: AskedFrom;
    /** Not set by a hosted pool. */
    readonly place?: SignInPlace;
  },
  {
    readonly publicChallengeParameters?: Readonly<Record<string, string>> | null;
    readonly privateChallengeParameters?: Readonly<Record<string, string>> | null;
    readonly challengeMetadata?: string | null;
  }
>;

export type VerifyAuthChallengeEvent = CommonEvent<
  'VerifyAuthChallengeResponse_Authentication',
  CommonRequest & {
    readonly privateChallengeParameters: Readonly<Record<string, string>>;
    readonly challengeAnswer: string;
  },
  { readonly answerCorrect?: boolean | null }
>;

/** Input of a trigger in addition to its event, in place of the function context on AWS. */
export interface TriggerCall {
  /** Aborted when the time limit of this attempt is reached; the remaining work must be skipped. */
  readonly signal?: AbortSignal;
}

type Trigger<Event> = (event: Event, call?: TriggerCall) => Promise<Event>;

/** Each trigger returns the event with its `response`. */
export interface ChallengeTriggers {
  readonly defineAuthChallenge: Trigger<DefineAuthChallengeEvent>;
  readonly createAuthChallenge: Trigger<CreateAuthChallengeEvent>;
  readonly verifyAuthChallengeResponse: Trigger<VerifyAuthChallengeEvent>;
}

/** A rate limit is reached. The pool returns TooManyRequestsException. */
export class ChallengeLimitError extends Error {
  override readonly name = 'ChallengeLimitError';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('A limit of the challenge has been reached.');
    this.retryAfterMs = retryAfterMs;
  }
}

/** The code could not be delivered. The pool returns UnexpectedLambdaException. */
export class ChallengeDeliveryError extends Error {
  override readonly name = 'ChallengeDeliveryError';
}

/** The challenge is expired or replaced by a newer one. The pool returns that the session is expired. */
export class ChallengeEndedError extends Error {
  override readonly name = 'ChallengeEndedError';
}

/**
 * A dependency of the trigger is unavailable. The pool returns InternalErrorException, which
 * clients retry.
 */
export class ChallengeUnavailableError extends Error {
  override readonly name = 'ChallengeUnavailableError';
}
