import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askPool, query, signInForTokens } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: string;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_SIGN_IN_LIMITS: 'on' });
  admin = await portal.signIn('admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const start = (USERNAME: string) =>
  askPool<{ Session: string }>(portal.url, 'InitiateAuth', {
    AuthFlow: 'CUSTOM_AUTH',
    ClientId: 'deviceportalweb',
    AuthParameters: { USERNAME },
  });

const eventsOf = async (type: string): Promise<AuditEvent[]> => {
  const input = { filter: { types: [type] } };
  const answer = await query(portal.url, { path: 'auditTrail.list', input, token: admin });
  return (answer.data as { rows: AuditEvent[] }).rows;
};

/** Resolves with the events of the type, as soon as there is one of the name. */
const untilTold = async (type: string, name: string): Promise<AuditEvent[]> => {
  const ofName = async () => (await eventsOf(type)).filter(({ actor }) => actor.name === name);
  await expect.poll(ofName, { timeout: 5_000 }).not.toEqual([]);
  return ofName();
};

describe('the audit trail tells', () => {
  test('[sign-in-events-1] of a refused sign-in, also of somebody who does not exist', async () => {
    await expect(start('stranger@corp.example')).rejects.toThrow(/UserNotFound/);
    const [event] = await untilTold('access.sign-in-refused', 'stranger@corp.example');
    expect(event).toMatchObject({
      actor: { kind: 'user', id: null, address: '127.0.0.1' },
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      data: { reason: expect.stringContaining('UserNotFoundException') },
    });
  });

  test('[sign-in-events-2] of wrong codes, and never of the code', async () => {
    const name = 'support@deviceportal.local';
    const { Session } = await start(name);
    await askPool(portal.url, 'RespondToAuthChallenge', {
      ChallengeName: 'CUSTOM_CHALLENGE',
      ClientId: 'deviceportalweb',
      Session,
      ChallengeResponses: { USERNAME: name, ANSWER: '000000x' },
    });
    await expect.poll(() => eventsOf('access.wrong-code')).toHaveLength(1);
    expect(JSON.stringify(await eventsOf('access.wrong-code'))).not.toContain('000000x');
  });

  test('[sign-in-events-3] once of a lock-out, however often it is tried, with its time', async () => {
    const name = 'operator@deviceportal.local';
    await start(name);
    for (let turn = 0; turn < 5; turn += 1) {
      await expect(start(name)).rejects.toThrow(/please try again in \d+ s/);
    }
    const events = await untilTold('access.sign-in-locked', name);
    expect(events).toHaveLength(1);
    expect(events[0]?.data['reason']).toMatch(/try again in \d+ s/);
  });

  test('[sign-in-events-4] of a sign-out, under the portal’s own id of the person', async () => {
    const name = 'viewer@deviceportal.local';
    const tokens = await signInForTokens(portal.url, name);
    const session = await query(portal.url, { path: 'session.get', token: tokens.IdToken });
    const { userId } = session.data as { userId: string };
    await askPool(portal.url, 'GlobalSignOut', { AccessToken: tokens.AccessToken });
    await expect
      .poll(async () => (await eventsOf('access.signed-out')).map(({ actor }) => actor.id), {
        timeout: 5_000,
      })
      .toContain(userId);
    const signedIn = await eventsOf('access.signed-in');
    expect(signedIn.some(({ actor }) => actor.id === userId)).toBe(true);
  });
});
