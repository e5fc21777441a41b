import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, start, type PoolReply } from './support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { otherCode } from './support/wire-clients.ts';

const WINDOW_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
let server: IdentityServer;
let people = 0;

beforeAll(async () => {
  server = await startIdentityServer();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Person {
  readonly username: string;
  readonly email: string;
  /** Addresses that nobody else in these tests has. */
  readonly home: string;
  readonly hotel: string;
  readonly strangers: readonly string[];
}

async function newPerson(): Promise<Person> {
  people += 1;
  const username = `p${randomUUID().slice(0, 8)}`;
  const email = `${username}@corp.example`;
  await server.service.users.createUser({ username, email });
  const network = `10.${people >> 8}.${people & 255}`;
  return {
    username,
    email,
    home: `${network}.1`,
    hotel: `${network}.2`,
    strangers: [`${network}.10`, `${network}.11`, `${network}.12`, `${network}.13`],
  };
}

interface Started {
  readonly session: string | undefined;
  readonly code: string;
  readonly reply: PoolReply;
}

async function startAt({ username, email }: Person, address: string): Promise<Started> {
  const reply = await start(server, username, address);
  return { session: reply.Session, code: server.codeFor(email), reply };
}

async function finishAt(
  { username }: Person,
  { session, code }: Started,
  address: string,
): Promise<boolean> {
  const reply = await answer(server, { username, session, code, address });
  return reply.AuthenticationResult !== undefined;
}

async function signInAt(person: Person, address: string): Promise<boolean> {
  return finishAt(person, await startAt(person, address), address);
}

const resend = { code: 'resend', metadata: { resend: 'true' } };

describe('an attacker who starts sign-ins with a user’s name', () => {
  it('does not invalidate the user’s current code from another address', async () => {
    const person = await newPerson();
    const own = await startAt(person, person.home);
    server.clock.advance(31_000);
    expect((await startAt(person, person.strangers[0] ?? '')).session).toBeDefined();
    expect(await finishAt(person, own, person.home)).toBe(true);
  });

  it('a code requested again in the same sign-in replaces the older one, from any address', async () => {
    const person = await newPerson();
    const own = await startAt(person, person.home);
    server.clock.advance(31_000);
    const { username } = person;
    const again = await answer(server, {
      username,
      session: own.session,
      address: person.hotel,
      ...resend,
    });
    const newer = { ...own, session: again.Session, code: server.codeFor(person.email) };
    const older = { ...newer, code: own.code };
    expect(newer.code).not.toBe(older.code);
    const wrong = await answer(server, { ...older, username, address: person.hotel });
    expect(wrong.AuthenticationResult).toBeUndefined();
    expect(wrong.ChallengeParameters?.['attemptsLeft']).toBe('2');
    expect(await finishAt(person, { ...newer, session: wrong.Session }, person.hotel)).toBe(true);
  });

  it('attackers together get at most five codes in 15 minutes, from any number of addresses', async () => {
    const person = await newPerson();
    await signInAt(person, person.home);
    server.clock.advance(WINDOW_MS);
    const before = server.messages.length;
    for (let round = 0; round < 20; round += 1) {
      server.clock.advance(31_000);
      await startAt(person, person.strangers[round % 4] ?? '');
    }
    expect(server.messages.length - before).toBe(5);
  });

  it('an address is familiar for 90 days after the last sign-in from it, for that user only', async () => {
    const person = await newPerson();
    const other = await newPerson();
    await signInAt(person, person.home);
    const takeAll = async (who: Person): Promise<void> => {
      for (let round = 0; round < 6; round += 1) {
        server.clock.advance(31_000);
        await startAt(who, who.strangers[0] ?? '');
      }
      server.clock.advance(31_000);
    };
    server.clock.advance(89 * DAY_MS);
    await takeAll(person);
    await takeAll(other);
    expect((await startAt(other, person.home)).session).toBeUndefined();
    expect(await signInAt(person, person.home)).toBe(true);
    server.clock.advance(91 * DAY_MS);
    await server.service.deleteExpired();
    await takeAll(person);
    expect((await startAt(person, person.home)).session).toBeUndefined();
  });

  const step = fc.record({
    kind: fc.constantFrom('start', 'start', 'wrong', 'resend'),
    at: fc.nat(3),
    waitSeconds: fc.constantFrom(0, 5, 31, 40),
  });
  const steps = fc.array(step, { maxLength: 25 });

  it('despite attackers, the user can sign in immediately from a familiar address, and after at most 15 minutes from others', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(step, { maxLength: 4 }), async (before, between) => {
        const person = await newPerson();
        const { username, strangers } = person;
        expect(await signInAt(person, person.home)).toBe(true);
        const sessions = new Map<string, string>();
        const act = async (all: typeof before): Promise<void> => {
          for (const { kind, at, waitSeconds } of all) {
            server.clock.advance(waitSeconds * 1_000);
            const address = strangers[at] ?? '';
            const input = { username, session: sessions.get(address), address };
            const code = otherCode(server.codeFor(person.email));
            const reply =
              kind === 'start' || input.session === undefined
                ? await start(server, username, address)
                : await answer(server, { ...input, ...(kind === 'resend' ? resend : { code }) });
            expect(reply.AuthenticationResult).toBeUndefined();
            if (reply.Session !== undefined) sessions.set(address, reply.Session);
          }
        };
        await act(before);
        const own = await startAt(person, person.home);
        expect(own.reply).toMatchObject({ Session: expect.any(String) });
        await act(between);
        expect(await finishAt(person, own, person.home)).toBe(true);

        let away = await startAt(person, person.hotel);
        let waitedMs = 0;
        // The 30 seconds between two codes may be told first, and the five of a window after them.
        while (away.session === undefined && waitedMs <= WINDOW_MS) {
          const waitMs = Number(/(\d+) s/.exec(away.reply.message ?? '')?.[1]) * 1_000;
          server.clock.advance(waitMs);
          waitedMs += waitMs;
          away = await startAt(person, person.hotel);
        }
        expect(waitedMs).toBeLessThanOrEqual(WINDOW_MS);
        expect(await finishAt(person, away, person.hotel)).toBe(true);
      }),
      { numRuns: 40 },
    );
    expect(server.failures).toEqual([]);
  }, 120_000);
});
