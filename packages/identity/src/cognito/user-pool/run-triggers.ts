import { z } from 'zod';
import type { AskedFrom } from '../../messenger.ts';
import type { IdentitySettings } from '../settings.ts';
import type { AppClient } from './app-client-store.ts';
import type { PoolUser } from '../../accounts/pool-account-store.ts';
import type {
  ChallengeRound,
  ChallengeTriggers,
  SignInPlace,
} from '../triggers/challenge-triggers.ts';
import { invalidParameter } from '../wire/wire-error.ts';
import { callTrigger, invalidResponse } from './call-trigger.ts';
import { userAttributes } from './user-attributes.ts';

/** The user who is signing in, for the triggers. */
export interface ChallengeSubject {
  readonly username: string;
  /** Undefined when no such user exists and the pool hides it. */
  readonly user: PoolUser | undefined;
  readonly client: AppClient;
  /** The typed identifier. */
  readonly identifier: string;
  readonly place: SignInPlace;
  readonly clientMetadata?: Readonly<Record<string, string>> | undefined;
  readonly askedFrom?: AskedFrom | undefined;
}

export interface TriggerContext {
  readonly settings: Pick<IdentitySettings, 'region' | 'userPoolId'>;
  readonly triggers: ChallengeTriggers | undefined;
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

/** Calls the define trigger with these rounds, oldest first. */
export async function decide(
  context: TriggerContext,
  subject: ChallengeSubject,
  session: readonly ChallengeRound[],
): Promise<Decision> {
  const { defineAuthChallenge } = triggersOf(context);
  const answer = await callTrigger({
    name: 'DefineAuthChallenge',
    schema: defineSchema,
    invoke: (trigger) =>
      defineAuthChallenge(
        {
          ...commonEvent(context, subject),
          triggerSource: 'DefineAuthChallenge_Authentication',
          request: { ...commonRequest(subject), session },
          response: {},
        },
        trigger,
      ),
  });
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
  const { createAuthChallenge } = triggersOf(context);
  const answer = await callTrigger({
    name: 'CreateAuthChallenge',
    schema: createSchema,
    invoke: (trigger) =>
      createAuthChallenge(
        {
          ...commonEvent(context, subject),
          triggerSource: 'CreateAuthChallenge_Authentication',
          request: {
            ...commonRequest(subject),
            ...round,
            identifier: subject.identifier,
            ...(subject.askedFrom && { askedFrom: subject.askedFrom }),
            place: subject.place,
          },
          response: {},
        },
        trigger,
      ),
  });
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
  const { verifyAuthChallengeResponse } = triggersOf(context);
  const answer = await callTrigger({
    name: 'VerifyAuthChallengeResponse',
    schema: verifySchema,
    invoke: (trigger) =>
      verifyAuthChallengeResponse(
        {
          ...commonEvent(context, subject),
          triggerSource: 'VerifyAuthChallengeResponse_Authentication',
          request: { ...commonRequest(subject), ...round },
          response: {},
        },
        trigger,
      ),
  });
  return answer.answerCorrect === true;
}

/** @throws InvalidParameterException where the pool has no custom challenge */
function triggersOf({ triggers }: TriggerContext): ChallengeTriggers {
  if (triggers !== undefined) return triggers;
  throw invalidParameter('Custom auth lambda trigger is not configured for the user pool.');
}

function commonEvent({ settings }: TriggerContext, subject: ChallengeSubject) {
  return {
    version: '1',
    region: settings.region,
    userPoolId: settings.userPoolId,
    userName: subject.username,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: subject.client.clientId },
  } as const;
}

function commonRequest(subject: ChallengeSubject) {
  return {
    userAttributes: subject.user === undefined ? {} : userAttributes(subject.user),
    ...(subject.user === undefined && { userNotFound: true }),
    ...(subject.clientMetadata !== undefined && { clientMetadata: subject.clientMetadata }),
  };
}
