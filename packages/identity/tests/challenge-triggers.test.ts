import { describe, expect, it } from 'vitest';
import type {
  ChallengeTriggers,
  CreateAuthChallengeEvent,
  DefineAuthChallengeEvent,
  VerifyAuthChallengeEvent,
} from '../src/cognito/triggers/challenge-triggers.ts';
import type { IdentitySettings } from '../src/cognito/settings.ts';
import { startIdentityServer } from './support/identity-server.ts';
import { anna, answerChallenge, startSignIn } from './support/wire-clients.ts';

interface Seen {
  readonly define: DefineAuthChallengeEvent[];
  readonly create: CreateAuthChallengeEvent[];
  readonly verify: VerifyAuthChallengeEvent[];
}

/** The classic shape of a hosted pool's functions: a question whose answer stands in the private parameters. */
function wordTriggers(seen: Seen): ChallengeTriggers {
  return {
    async defineAuthChallenge(event) {
      seen.define.push(event);
      const last = event.request.session.at(-1);
      const response =
        last?.challengeResult === true
          ? { issueTokens: true }
          : {
              challengeName: 'CUSTOM_CHALLENGE',
              failAuthentication: event.request.session.length > 1,
            };
      return { ...event, response };
    },
    async createAuthChallenge(event) {
      seen.create.push(event);
      return {
        ...event,
        response: {
          publicChallengeParameters: { question: 'word?' },
          privateChallengeParameters: { word: 'abracadabra' },
          challengeMetadata: `round ${event.request.session.length}`,
        },
      };
    },
    async verifyAuthChallengeResponse(event) {
      seen.verify.push(event);
      const { privateChallengeParameters, challengeAnswer } = event.request;
      return {
        ...event,
        response: { answerCorrect: challengeAnswer === privateChallengeParameters['word'] },
      };
    },
  };
}

async function start(triggers: Partial<ChallengeTriggers>, settings?: Partial<IdentitySettings>) {
  const server = await startIdentityServer({ triggers, settings: { limits: 'off', ...settings } });
  await server.service.users.createUser(anna);
  return server;
}

describe('challenge triggers', () => {
  it('run in order with the event shapes of a hosted pool', async () => {
    const seen: Seen = { define: [], create: [], verify: [] };
    await using server = await start(wordTriggers(seen));
    const started = await startSignIn(server, anna.email);
    expect(started.ChallengeParameters).toEqual({ question: 'word?', USERNAME: 'anna' });
    const second = await answerChallenge(server, {
      session: started.Session,
      answer: 'no',
      metadata: { browser: 'yes' },
    });
    const done = await answerChallenge(server, { session: second.Session, answer: 'abracadabra' });
    expect(done.AuthenticationResult?.AccessToken).toBeDefined();
    expect(seen.define.map((event) => event.request.session)).toEqual([
      [],
      [{ challengeName: 'CUSTOM_CHALLENGE', challengeResult: false, challengeMetadata: 'round 0' }],
      [
        { challengeName: 'CUSTOM_CHALLENGE', challengeResult: false, challengeMetadata: 'round 0' },
        { challengeName: 'CUSTOM_CHALLENGE', challengeResult: true, challengeMetadata: 'round 1' },
      ],
    ]);
    expect(seen.define[0]).toMatchObject({
      version: '1',
      triggerSource: 'DefineAuthChallenge_Authentication',
      region: 'us-east-1',
      userPoolId: 'us-east-1_DevicePortal',
      userName: 'anna',
      callerContext: { clientId: 'deviceportalweb' },
      request: { userAttributes: { email: anna.email, email_verified: 'true' } },
      response: {},
    });
    expect(seen.define.map((event) => event.request.clientMetadata)).toEqual([
      undefined,
      { browser: 'yes' },
      undefined,
    ]);
    expect(seen.verify[0]?.request.challengeAnswer).toBe('no');
    expect(seen.create).toHaveLength(2);
  });

  it('an error of a trigger reaches the client with a final period', async () => {
    await using server = await start({
      createAuthChallenge: () => Promise.reject(new Error('not on Sundays')),
    });
    await expect(startSignIn(server, 'anna')).rejects.toMatchObject({
      name: 'UserLambdaValidationException',
      message: 'CreateAuthChallenge failed with error not on Sundays.',
    });
  });

  it('an invalid trigger response is InvalidLambdaResponseException', async () => {
    await using server = await start({
      defineAuthChallenge: async (event) => ({ ...event, response: {} }),
    });
    await expect(startSignIn(server, 'anna')).rejects.toMatchObject({
      name: 'InvalidLambdaResponseException',
    });
  });

  it('with hidden users, an unknown user reaches the triggers and never gets tokens', async () => {
    await using server = await start(
      { defineAuthChallenge: async (event) => ({ ...event, response: { issueTokens: true } }) },
      { userExistenceErrors: 'ENABLED' },
    );
    await expect(startSignIn(server, 'nobody')).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
  });
});
