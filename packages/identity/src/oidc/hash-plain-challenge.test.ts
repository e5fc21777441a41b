import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashPlainChallenge } from './hash-plain-challenge.ts';

it('text after a second question mark stays in the request', () => {
  const challenge = 'x'.repeat(43);
  const query = `state=a?b&code_challenge=${challenge}&code_challenge_method=plain&prompt=login`;
  const [, hashed = ''] = /^\/auth\?(.*)$/.exec(hashPlainChallenge(`/auth?${query}`)) ?? [];
  expect(Object.fromEntries(new URLSearchParams(hashed))).toEqual({
    state: 'a?b',
    // RFC 7636, section 4.2, of the text above.
    code_challenge: createHash('sha256').update(challenge).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'login',
  });
});
