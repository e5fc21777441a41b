import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdentityService } from '../src/cognito/identity-service.ts';
import { answer, start, type PoolReply } from './support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { otherCode } from './support/wire-clients.ts';

const LIFE_MS = 180_000;
let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
});
afterAll(() => server[Symbol.asyncDispose]());

interface ModelCode {
  readonly digits: string;
  readonly endsMs: number;
  triesLeft: number;
  isOpen: boolean;
}

interface ModelSession {
  readonly text: string;
  readonly code: ModelCode;
  readonly endsMs: number;
  isUsed: boolean;
}

/** What the challenge of one person must be, said once more and without a database. */
interface Model {
  readonly person: { readonly username: string; readonly email: string; readonly sub: string };
  readonly sessions: ModelSession[];
  signIns: number;
}

type Expected = 'tokens' | 'challenge' | 'incorrect' | 'used' | 'expired';

const MESSAGES: Readonly<Record<string, Expected>> = {
  'Incorrect username or password.': 'incorrect',
  'Invalid session for the user, session can only be used once.': 'used',
  'Invalid session for the user, session is expired.': 'expired',
};

function outcomeOf(reply: PoolReply): Expected | string {
  if (reply.AuthenticationResult !== undefined) return 'tokens';
  if (reply.ChallengeName !== undefined) return 'challenge';
  return MESSAGES[reply.message ?? ''] ?? JSON.stringify(reply);
}

function opens(code: ModelCode, nowMs: number): boolean {
  return code.isOpen && code.triesLeft > 0 && code.endsMs > nowMs;
}

/** The model's own answer to an answer; changes the model. */
function expectedOf(session: ModelSession, isRight: boolean, nowMs: number): Expected {
  if (session.isUsed) return 'used';
  if (session.endsMs <= nowMs) return 'expired';
  session.isUsed = true;
  const { code } = session;
  if (opens(code, nowMs)) {
    code.triesLeft -= 1;
    if (isRight) {
      code.isOpen = false;
      return 'tokens';
    }
  }
  if (code.triesLeft <= 0) return 'incorrect';
  return opens(code, nowMs) ? 'challenge' : 'expired';
}

function sendNew(model: Model, text: string | undefined): void {
  for (const { code } of model.sessions) code.isOpen = false;
  const endsMs = server.clock.now() + LIFE_MS;
  const digits = server.codeFor(model.person.email);
  const code = { digits, endsMs, triesLeft: 3, isOpen: true };
  model.sessions.push({ text: text ?? '', code, endsMs, isUsed: false });
}

const pick = (model: Model, index: number): ModelSession | undefined =>
  model.sessions[index % Math.max(1, model.sessions.length)];

type Step = fc.AsyncCommand<Model, IdentityServer>;

function step(name: string, run: (model: Model) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name };
}

const startStep = () =>
  step('start', async (model) => {
    const reply = await start(server, model.person.username);
    expect(outcomeOf(reply)).toBe('challenge');
    sendNew(model, reply.Session);
  });

const answerStep = (index: number, isRight: boolean) =>
  step(`answer ${index} ${isRight ? 'right' : 'wrong'}`, async (model) => {
    const session = pick(model, index);
    if (session === undefined) return;
    const code = isRight ? session.code.digits : otherCode(session.code.digits);
    const { username } = model.person;
    const reply = await answer(server, { username, session: session.text, code });
    const expected = expectedOf(session, isRight, server.clock.now());
    expect(outcomeOf(reply)).toBe(expected);
    if (expected === 'tokens') model.signIns += 1;
    if (expected !== 'challenge') return;
    expect(reply.ChallengeParameters?.['attemptsLeft']).toBe(String(session.code.triesLeft));
    model.sessions.push({ ...session, text: reply.Session ?? '', isUsed: false });
  });

const resendStep = (index: number) =>
  step(`resend ${index}`, async (model) => {
    const session = pick(model, index);
    if (session === undefined) return;
    const { username } = model.person;
    const reply = await answer(server, {
      username,
      session: session.text,
      code: 'resend',
      metadata: { resend: 'true' },
    });
    if (session.isUsed || session.endsMs <= server.clock.now()) {
      expect(outcomeOf(reply)).toBe(session.isUsed ? 'used' : 'expired');
      return;
    }
    session.isUsed = true;
    expect(outcomeOf(reply)).toBe('challenge');
    sendNew(model, reply.Session);
  });

/** Several tabs with one session, some with the right and some with a wrong code, at the same moment. */
const raceStep = (index: number, rightOnes: readonly boolean[]) =>
  step(`race ${index} ${JSON.stringify(rightOnes)}`, async (model) => {
    const session = pick(model, index);
    if (session === undefined) return;
    const { username } = model.person;
    const { digits } = session.code;
    const replies = await Promise.all(
      rightOnes.map((isRight) =>
        answer(server, {
          username,
          session: session.text,
          code: isRight ? digits : otherCode(digits),
        }),
      ),
    );
    const outcomes = replies.map(outcomeOf);
    // One of them was looked at; which one is nobody's business, the model follows it.
    const first =
      session.isUsed || session.endsMs <= server.clock.now()
        ? -1
        : outcomes.findIndex((one) => one !== 'used');
    const rest = outcomes.filter((_one, at) => at !== first);
    expect(new Set(rest.map((one) => (one === 'expired' ? 'used' : one)))).toEqual(
      new Set(['used']),
    );
    if (first === -1) return;
    const expected = expectedOf(session, rightOnes[first] === true, server.clock.now());
    expect(outcomes[first]).toBe(expected);
    if (expected === 'tokens') model.signIns += 1;
    if (expected === 'challenge') {
      model.sessions.push({ ...session, text: replies[first]?.Session ?? '', isUsed: false });
    }
  });

const waitStep = (steps: number) =>
  step(`wait ${steps * 50} s`, async () => server.clock.advance(steps * 50_000));

const steps = fc.commands(
  [
    fc.constant(null).map(startStep),
    fc.tuple(fc.nat(20), fc.boolean()).map(([index, isRight]) => answerStep(index, isRight)),
    fc.nat(20).map((index) => answerStep(index, false)),
    fc.nat(20).map(resendStep),
    fc
      .tuple(fc.nat(20), fc.array(fc.boolean(), { minLength: 2, maxLength: 5 }))
      .map(([index, rightOnes]) => raceStep(index, rightOnes)),
    fc.integer({ min: 1, max: 4 }).map(waitStep),
  ],
  { maxCommands: 25 },
);

async function newModel(): Promise<Model> {
  const username = `m${randomUUID().slice(0, 8)}`;
  const email = `${username}@corp.example`;
  const { sub } = await server.service.users.createUser({ username, email });
  return { person: { username, email, sub }, sessions: [], signIns: 0 };
}

describe('challenge', () => {
  it('behaves like its model for any sequence of starts, answers, resends, races, and delays', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        const model = await newModel();
        await startStep().run(model, server);
        await fc.asyncModelRun(() => ({ model, real: server }), commands);
        const { rowCount } = await server.pool.query(
          'select 1 from identity.refresh_token where sub = $1',
          [model.person.sub],
        );
        expect(rowCount).toBe(model.signIns);
      }),
      { numRuns: 150, endOnFailure: true },
    );
    expect(server.failures).toEqual([]);
  }, 100_000);

  it('on two servers with different clocks, a code opens at most one session and expires by the later clock', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -20, max: 20 }),
        fc.integer({ min: 0, max: 220 }),
        async (skewSeconds, waitSeconds) => {
          const { person } = await newModel();
          const other = {
            service: await createIdentityService({
              pool: server.pool,
              sealingKey: server.sealingKey,
              clock: { now: () => server.clock.now() + skewSeconds * 1_000 },
              messenger: { send: async () => {} },
              settings: server.service.settings,
            }),
          };
          const { Session: session } = await start(server, person.username);
          const code = server.codeFor(person.email);
          server.clock.advance(waitSeconds * 1_000);
          const input = { username: person.username, session, code };
          const replies = await Promise.all([
            answer(other, input),
            answer(server, input),
            answer(other, input),
          ]);
          const opened = replies.filter((reply) => reply.AuthenticationResult !== undefined);
          const isAlive = waitSeconds + Math.min(0, skewSeconds) < LIFE_MS / 1_000 - 2;
          const isDead = waitSeconds + Math.min(0, skewSeconds) >= LIFE_MS / 1_000;
          expect(opened.length).toBeLessThanOrEqual(1);
          if (isDead) expect(opened).toHaveLength(0);
          if (waitSeconds + Math.max(0, skewSeconds) < LIFE_MS / 1_000 - 5 && isAlive) {
            expect(opened).toHaveLength(1);
          }
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);
});
