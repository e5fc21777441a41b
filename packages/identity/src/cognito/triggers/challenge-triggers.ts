import type { AskedFrom } from '../../messenger.ts';

/**
 * The three triggers of the custom challenge, with the events that AWS hands to the functions of a hosted pool
 * (cognito.md, section 4): the same functions run here and there.
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
  /** Only when the pool hides whether a user exists. */
  readonly userNotFound?: boolean;
  /** Never that of InitiateAuth. */
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
    /** Our addition: what the person typed, so that a phone number is answered by SMS. A hosted pool leaves it out. */
    readonly identifier?: string;
    /** Our addition, for the words of the message; a hosted pool leaves it out. */
    readonly askedFrom?: AskedFrom;
    /** Our addition, too. */
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
  /** Aborted when the time for this try is up: what was not done by then must not be done. */
  readonly signal?: AbortSignal;
}

type Trigger<Event> = (event: Event, call?: TriggerCall) => Promise<Event>;

/** Each returns the event with `response` filled. */
export interface ChallengeTriggers {
  readonly defineAuthChallenge: Trigger<DefineAuthChallengeEvent>;
  readonly createAuthChallenge: Trigger<CreateAuthChallengeEvent>;
  readonly verifyAuthChallengeResponse: Trigger<VerifyAuthChallengeEvent>;
}

/** A trigger refuses because of a limit: the pool answers TooManyRequestsException, not a trigger error. */
export class ChallengeLimitError extends Error {
  override readonly name = 'ChallengeLimitError';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('A limit of the challenge has been reached.');
    this.retryAfterMs = retryAfterMs;
  }
}

/** The challenge could not be brought to the person: the pool answers UnexpectedLambdaException. */
export class ChallengeDeliveryError extends Error {
  override readonly name = 'ChallengeDeliveryError';
}

/** The challenge is void (too old, or replaced by a newer one): the pool answers that the session is expired. */
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
