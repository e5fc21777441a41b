import { describe, expect, it } from 'vitest';
import { IdentityError } from '@deviceportal/identity-client';
import { authingSignInError } from './authing/authing-sign-in-error.ts';
import { secondStepOf } from './second-step.ts';

const refusal = (code: number, data?: unknown) =>
  new IdentityError('no', { code, data, source: 'provider' });

describe('second factor', () => {
  it('is recognized by the provider’s code with a token, and is not a wrong code', () => {
    const error = refusal(1636, { mfaToken: 'token-1' });
    expect(secondStepOf(error)).toMatchObject({ mfaToken: 'token-1', cause: error });
    expect(authingSignInError(error, 'login')).toMatchObject({ mfaToken: 'token-1' });
  });

  it.each([
    refusal(1636),
    refusal(1636, { mfaToken: 7 }),
    refusal(2001, { mfaToken: 'x' }),
    null,
    'x',
  ])('is not recognized in other errors', (error) => {
    expect(secondStepOf(error)).toBeUndefined();
  });

  it('lists the offered methods in the portal’s order, and whether one must be set up', () => {
    const applicationMfa = ['EMAIL', 'FACE', 'SMOKE'].map((mfaPolicy) => ({ mfaPolicy }));
    const hints = { mfaToken: 'token-1', applicationMfa, email: 'a***@b.example', phone: null };
    expect(secondStepOf(refusal(1636, hints))).toMatchObject({
      ...{ isSetUp: false, methods: ['EMAIL', 'FACE'], email: 'a***@b.example', phone: '' },
    });
    expect(secondStepOf(refusal(1635, { mfaToken: 'token-1' }))).toMatchObject({
      ...{ isSetUp: true, methods: ['OTP'] },
    });
  });

  it('too many attempts are a separate error from a wrong code', () => {
    const error = refusal(429);
    expect(authingSignInError(error, 'login')).toMatchObject({ code: -1, cause: error });
  });
});
