import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, answerChallenge, otherCode, signIn, startSignIn } from './support/wire-clients.ts';

const MINUTE_MS = 60_000;
let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer();
  await server.service.users.createUser(anna);
});
afterAll(() => server[Symbol.asyncDispose]());
// Past every window, so that each test starts without limits used up.
beforeEach(() => server.clock.advance(20 * MINUTE_MS));

describe('one-time code', () => {
  it('shows the browser the destination and expiry of the code, but not the code', async () => {
    const started = await startSignIn(server, 'ANNA');
    const now = server.clock.now();
    expect(started.ChallengeName).toBe('CUSTOM_CHALLENGE');
    expect(started.ChallengeParameters).toMatchObject({
      USERNAME: 'anna',
      medium: 'email',
      destination: 'a•••@corp.example',
      attemptsLeft: '3',
      codeLength: '6',
    });
    const { expiresAt, resendAfter } = started.ChallengeParameters ?? {};
    expect(Date.parse(expiresAt ?? '') - now).toBeGreaterThan(3 * MINUTE_MS - 5_000);
    expect(Date.parse(expiresAt ?? '') - now).toBeLessThanOrEqual(3 * MINUTE_MS);
    expect(Date.parse(resendAfter ?? '') - now).toBeGreaterThan(25_000);
    expect(JSON.stringify(started)).not.toContain(server.codeFor(anna.email));
  });

  it('a typed phone number gets an SMS, regardless of punctuation', async () => {
    const started = await startSignIn(server, '+48 123-456-789');
    expect(started.ChallengeParameters).toMatchObject({ USERNAME: 'anna', medium: 'sms' });
    expect(server.messages.at(-1)).toMatchObject({ to: '+48123456789', channel: 'sms' });
  });

  it('accepts a pasted code with a hyphen and full-width digits', async () => {
    const started = await startSignIn(server, anna.email);
    const code = server.codeFor(anna.email);
    const wide = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    const reply = await answerChallenge(server, {
      session: started.Session,
      answer: ` ${wide.slice(0, 3)}-${wide.slice(3)} `,
    });
    expect(reply.AuthenticationResult?.AccessToken).toBeDefined();
  });

  it('an incorrect code gives a new session and uses one attempt; the correct one still signs in', async () => {
    const started = await startSignIn(server, 'anna');
    const code = server.codeFor(anna.email);
    const second = await answerChallenge(server, {
      session: started.Session,
      answer: otherCode(code),
    });
    expect(second.ChallengeName).toBe('CUSTOM_CHALLENGE');
    expect(second.Session).not.toBe(started.Session);
    expect(second.ChallengeParameters?.['attemptsLeft']).toBe('2');
    const third = await answerChallenge(server, { session: second.Session, answer: code });
    expect(third.AuthenticationResult?.IdToken).toBeDefined();
  });

  it('the third incorrect code ends the sign-in, and the correct code is then rejected', async () => {
    let { Session: session } = await startSignIn(server, 'anna');
    const code = server.codeFor(anna.email);
    for (let wrong = 0; wrong < 2; wrong += 1) {
      ({ Session: session } = await answerChallenge(server, { session, answer: otherCode(code) }));
    }
    await expect(
      answerChallenge(server, { session, answer: otherCode(code) }),
    ).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    await expect(answerChallenge(server, { session, answer: code })).rejects.toMatchObject({
      message: 'Invalid session for the user, session can only be used once.',
    });
  });

  it('[code-6] the code is valid for 3 minutes, and an incorrect attempt does not extend it', async () => {
    const started = await startSignIn(server, 'anna');
    const code = server.codeFor(anna.email);
    server.clock.advance(2 * MINUTE_MS);
    const second = await answerChallenge(server, {
      session: started.Session,
      answer: otherCode(code),
    });
    server.clock.advance(MINUTE_MS);
    await expect(
      answerChallenge(server, { session: second.Session, answer: code }),
    ).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Invalid session for the user, session is expired.',
    });
  });

  it('a second code within 30 s is rejected with the waiting time; afterwards it invalidates the first code', async () => {
    const first = await startSignIn(server, 'anna');
    const firstCode = server.codeFor(anna.email);
    await expect(startSignIn(server, 'anna')).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      message: expect.stringMatching(/try again in (2\d|30) s\./),
    });
    server.clock.advance(30_000);
    const second = await startSignIn(server, 'anna');
    const secondCode = server.codeFor(anna.email);
    await expect(
      answerChallenge(server, { session: first.Session, answer: firstCode }),
    ).rejects.toMatchObject({ message: expect.stringContaining('Invalid session') });
    const reply = await answerChallenge(server, { session: second.Session, answer: secondCode });
    expect(reply.AuthenticationResult).toBeDefined();
  });

  it('resend=true sends a new code with three attempts; requested too early, it has no effect', async () => {
    const started = await startSignIn(server, 'anna');
    const firstCode = server.codeFor(anna.email);
    const resend = { answer: 'resend', metadata: { resend: 'true' } };
    const early = await answerChallenge(server, { session: started.Session, ...resend });
    expect(server.codeFor(anna.email)).toBe(firstCode);
    expect(early.ChallengeParameters?.['attemptsLeft']).toBe('3');
    let { Session: session } = early;
    for (let again = 0; again < 3; again += 1) {
      ({ Session: session } = await answerChallenge(server, { session, ...resend }));
    }
    const wrong = await answerChallenge(server, { session, answer: otherCode(firstCode) });
    expect(wrong.ChallengeParameters?.['attemptsLeft']).toBe('2');
    server.clock.advance(30_000);
    const later = await answerChallenge(server, { session: wrong.Session, ...resend });
    const newCode = server.codeFor(anna.email);
    expect(server.messages.at(-1)?.code).toBe(newCode);
    expect(later.ChallengeParameters?.['attemptsLeft']).toBe('3');
    const reply = await answerChallenge(server, { session: later.Session, answer: newCode });
    expect(reply.AuthenticationResult).toBeDefined();
  });

  it('at most 5 codes in 15 minutes are sent to one user', async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      await startSignIn(server, 'anna');
      server.clock.advance(31_000);
    }
    const before = server.messages.length;
    await expect(startSignIn(server, 'anna')).rejects.toMatchObject({
      name: 'TooManyRequestsException',
    });
    expect(server.messages.length).toBe(before);
    server.clock.advance(15 * MINUTE_MS);
    await expect(startSignIn(server, 'anna')).resolves.toBeDefined();
  });

  it('[code-10] neither code, session, nor refresh token is in the database', async () => {
    const started = await startSignIn(server, 'anna');
    const code = server.codeFor(anna.email);
    const { AuthenticationResult: tokens } = await answerChallenge(server, {
      session: started.Session,
      answer: code,
    });
    const secrets = [started.Session ?? '', tokens?.RefreshToken ?? ''];
    for (const table of ['auth_session', 'one_time_code', 'refresh_token', 'rate_limit']) {
      const { rows } = await server.pool.query<{ text: string }>(
        `select t::text as text from identity.${table} t`,
      );
      const all = rows.map((row) => row.text).join('\n');
      for (const secret of secrets) expect(all).not.toContain(secret);
      expect(all).not.toMatch(new RegExp(`\\b${code}\\b`));
    }
  });

  it('a user without a verified address gets UnexpectedLambdaException, not an unknown-user error', async () => {
    await server.service.users.createUser({
      username: 'unverified',
      email: 'unverified@corp.example',
      emailVerified: false,
    });
    await expect(startSignIn(server, 'unverified')).rejects.toMatchObject({
      name: 'UnexpectedLambdaException',
    });
  });

  it('[code-12] sign-ins, rejections, and their addresses are recorded', async () => {
    server.events.length = 0;
    await signIn(server, anna);
    await startSignIn(server, 'nobody').catch(() => undefined);
    expect(server.events.map(({ kind, username }) => [kind, username])).toEqual([
      ['challengeStarted', 'anna'],
      ['signedIn', 'anna'],
      ['signInRefused', 'nobody'],
    ]);
    expect(server.events.every((event) => event.address === '127.0.0.1')).toBe(true);
  });
});

describe('limits', () => {
  it('with limits=off, an automated client can sign in again immediately', async () => {
    await using free = await startIdentityServer({ settings: { limits: 'off' } });
    await free.service.users.createUser(anna);
    for (let turn = 0; turn < 7; turn += 1) {
      expect((await signIn(free, anna)).AccessToken).toBeDefined();
    }
  });

  it('one address can start at most 60 sign-ins in 15 minutes, including for unknown users', async () => {
    await using fresh = await startIdentityServer();
    const names = Array.from({ length: 61 }, (_, index) => startSignIn(fresh, `nobody${index}`));
    const outcomes = (await Promise.allSettled(names)).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as Error).name : 'resolved',
    );
    expect(outcomes.filter((name) => name === 'UserNotFoundException')).toHaveLength(60);
    expect(outcomes.filter((name) => name === 'TooManyRequestsException')).toHaveLength(1);
  });

  it('a code that could not be sent does not start the waiting time of 30 s', async () => {
    let isBroken = true;
    const codes: string[] = [];
    await using server2 = await startIdentityServer({
      messenger: {
        async send({ code }) {
          if (isBroken) throw new Error('no mail server');
          codes.push(code ?? 'none');
        },
      },
    });
    await server2.service.users.createUser(anna);
    await expect(startSignIn(server2, 'anna')).rejects.toMatchObject({
      name: 'UnexpectedLambdaException',
    });
    isBroken = false;
    await expect(startSignIn(server2, 'anna')).resolves.toBeDefined();
    expect(codes).toHaveLength(1);
  });
});
