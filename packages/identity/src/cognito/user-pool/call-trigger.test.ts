import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callTrigger, type CallTriggerOptions } from './call-trigger.ts';

const schema = z.object({ answerCorrect: z.boolean().nullish() });
const call = (invoke: CallTriggerOptions<unknown>['invoke'], timeLimitMs = 20) =>
  callTrigger({ name: 'VerifyAuthChallengeResponse', schema, invoke, timeLimitMs });

describe('call of a trigger', () => {
  it('a trigger that is too slow is called three times in total, with a timeout each time', async () => {
    const signals: AbortSignal[] = [];
    const refused = call(({ signal }) => {
      if (signal) signals.push(signal);
      return new Promise(() => {});
    });
    await expect(refused).rejects.toMatchObject({
      name: 'UnexpectedLambdaException',
      message:
        'VerifyAuthChallengeResponse failed with error Socket timeout while invoking Lambda function.',
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('a response in time is used, and the late response of an earlier attempt is not', async () => {
    let tries = 0;
    const answer = await call(async () => {
      tries += 1;
      if (tries === 1) await new Promise((resolve) => setTimeout(resolve, 30));
      return { response: { answerCorrect: tries !== 1 } };
    });
    expect(answer).toEqual({ answerCorrect: true });
  });

  it('a trigger that throws is not called again', async () => {
    let tries = 0;
    const refused = call(() => {
      tries += 1;
      throw new Error('login user does not exist');
    });
    await expect(refused).rejects.toMatchObject({
      name: 'UserLambdaValidationException',
      message: 'VerifyAuthChallengeResponse failed with error login user does not exist.',
    });
    expect(tries).toBe(1);
  });

  it('an error with a code is reported as the trigger’s, not as a failure of the pool', async () => {
    const refused = call(() => Promise.reject(Object.assign(new Error('no'), { code: 'E1' })));
    await expect(refused).rejects.toMatchObject({ name: 'UserLambdaValidationException' });
  });

  it.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ response: 7 }],
    [{ response: { answerCorrect: 'yes' } }],
  ])('%j is not a valid response', async (answer) => {
    const refused = call(async () => answer as { response: unknown });
    await expect(refused).rejects.toMatchObject({ name: 'InvalidLambdaResponseException' });
  });
});
