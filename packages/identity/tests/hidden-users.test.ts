import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, answerChallenge, otherCode, startSignIn } from './support/wire-clients.ts';

const MINUTE_MS = 60_000;
/** Of the same length and shape as those of the person who exists. */
const pairs = [
  ['a user name', 'anna', 'bora'],
  ['an e-mail address', 'anna@corp.example', 'bora@corp.example'],
  ['a phone number', '+48 123 456 789', '+48 123 456 780'],
  ['a disabled person', 'anna', 'gone'],
  ['a person nobody confirmed', 'anna', 'new1'],
  ['a person who cannot be reached', 'anna', 'deaf'],
] as const;
let server: IdentityServer;
let queries = 0;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { userExistenceErrors: 'ENABLED' } });
  const { users } = server.service;
  await users.createUser(anna);
  await users.createUser({ username: 'gone', email: 'gone@corp.example', enabled: false });
  await users.createUser({ username: 'new1', email: 'n@corp.example', status: 'UNCONFIRMED' });
  await users.createUser({ username: 'deaf', email: 'd@corp.example', emailVerified: false });
  const query = server.pool.query.bind(server.pool);
  server.pool.query = ((...args: Parameters<typeof query>) => {
    queries += 1;
    return query(...args);
  }) as typeof server.pool.query;
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.clock.advance(40 * MINUTE_MS));

/** One refusal or challenge as a stranger sees it, and the statements it cost. */
async function look(work: () => Promise<object>): Promise<Seen> {
  const before = queries;
  const outcome = await work().catch((error: unknown) => error as object);
  return { outcome: outcome as Seen['outcome'], queries: queries - before };
}

interface Seen {
  readonly outcome: {
    readonly name?: string;
    readonly message?: string;
    readonly Session?: string;
    readonly ChallengeName?: string;
    readonly ChallengeParameters?: Readonly<Record<string, string>>;
  };
  readonly queries: number;
}

/** What must not differ: everything but what was typed, random texts and the time. */
function shape({ outcome, queries: count }: Seen, typed: string) {
  const { name, message, Session: session, ChallengeName, ChallengeParameters } = outcome;
  const parameters = Object.entries(ChallengeParameters ?? {}).map(([key, value]) =>
    /^\d{4}-/.test(value) ? [key, 'a time'] : [key, value === typed ? 'as typed' : value],
  );
  return {
    name,
    message: message?.replace(/\d+ s/, 'n s'),
    session: session?.length,
    ChallengeName,
    parameters: Object.fromEntries(parameters.filter(([key]) => key !== 'destination')),
    hasDestination: ChallengeParameters?.['destination'] !== undefined,
    count,
  };
}

/** A whole attempt with wrong codes: start, early second start, three answers, one too many. */
async function attempt(typed: string) {
  const seen: Seen[] = [await look(() => startSignIn(server, typed))];
  seen.push(await look(() => startSignIn(server, typed)));
  let session = seen[0]?.outcome.Session;
  const wrong = otherCode(server.codeFor(anna.email));
  for (const metadata of [undefined, { resend: 'true' }, undefined, undefined, undefined]) {
    const one = await look(() =>
      answerChallenge(server, {
        session,
        username: typed,
        answer: wrong,
        ...(metadata && { metadata }),
      }),
    );
    seen.push(one);
    session = one.outcome.Session ?? session;
  }
  return seen.map((one) => shape(one, typed));
}

describe('hidden users', () => {
  it.each(pairs)(
    '%s: responses, errors, and work are the same with and without an account',
    async (_what, somebody, nobody) => {
      const known = await attempt(somebody);
      server.clock.advance(40 * MINUTE_MS);
      const unknown = await attempt(nobody);
      expect(unknown).toEqual(known);
      expect(known.map(({ name }) => name)).toEqual([
        undefined,
        'TooManyRequestsException',
        undefined,
        undefined,
        undefined,
        'NotAuthorizedException',
        'NotAuthorizedException',
      ]);
    },
  );

  it('the user signs in by username and by alias', async () => {
    for (const typed of [anna.username, anna.email]) {
      server.clock.advance(40 * MINUTE_MS);
      const started = await startSignIn(server, typed);
      expect(started.ChallengeParameters?.['USERNAME']).toBe(typed);
      const reply = await answerChallenge(server, {
        session: started.Session,
        username: typed,
        answer: server.codeFor(anna.email),
      });
      expect(reply.AuthenticationResult?.AccessToken).toBeDefined();
    }
  });

  it('the response does not wait for the delivery, so its duration and failure are not visible', async () => {
    let end = (): void => {};
    const isOver = new Promise<void>((resolve) => (end = resolve));
    await using slow = await startIdentityServer({
      settings: { userExistenceErrors: 'ENABLED' },
      messenger: {
        async send() {
          await isOver;
          throw new Error('no mail server');
        },
      },
    });
    await slow.service.users.createUser(anna);
    const started = await startSignIn(slow, anna.username);
    expect(started.ChallengeName).toBe('CUSTOM_CHALLENGE');
    expect(slow.failures).toEqual([]);
    end();
    await expect.poll(() => slow.failures.length).toBe(1);
  });

  it('a name other than the entered one is not tried, because it would reveal the owner of an alias', async () => {
    const started = await startSignIn(server, anna.username);
    for (const username of [anna.email, 'bora@corp.example']) {
      await expect(
        answerChallenge(server, { session: started.Session, username, answer: '000000' }),
      ).rejects.toMatchObject({ message: 'Invalid session for the user.' });
    }
  });

  it('a user who is disabled during the challenge cannot sign in with the correct code', async () => {
    const user = await server.service.users.createUser({
      username: 'mid',
      email: 'mid@corp.example',
    });
    const started = await startSignIn(server, 'mid');
    await server.service.users.disableUser(user.sub);
    const reply = await answerChallenge(server, {
      session: started.Session,
      username: 'mid',
      answer: server.codeFor('mid@corp.example'),
    });
    expect(reply.AuthenticationResult).toBeUndefined();
    expect(reply.ChallengeParameters?.['attemptsLeft']).toBe('2');
  });
});
