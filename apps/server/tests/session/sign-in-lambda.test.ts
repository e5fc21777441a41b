import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ChallengeTriggers } from '@deviceportal/identity/challenge-triggers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityServer } from '../../../../packages/identity/tests/support/identity-server.ts';
import {
  anna,
  answerChallenge,
  otherCode,
  startSignIn,
} from '../../../../packages/identity/tests/support/wire-clients.ts';
import { loadSignInTriggers } from '../../src/session/load-sign-in-triggers.ts';
import recorded from './trigger-events.json' with { type: 'json' };

const script = fileURLToPath(
  new URL('../../../../scripts/build-sign-in-triggers.ts', import.meta.url),
);
const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) =>
    void text(stream).then((mail) => {
      mails.push(mail);
      done();
    }),
});
let folder: string;
let triggers: Required<ChallengeTriggers>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-triggers-'));
  await promisify(execFile)(process.execPath, [script, folder]);
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  process.env['DEVICEPORTAL_CODE_SECRET'] = 'a secret that all three functions are given';
  process.env['DEVICEPORTAL_SMTP_URL'] = `smtp://127.0.0.1:${port}`;
  process.env['DEVICEPORTAL_MAIL_FROM'] = 'Device Portal <portal@corp.example>';
  triggers = (await loadSignInTriggers(join(folder, 'index.mjs'))) as Required<ChallengeTriggers>;
});
afterAll(async () => {
  for (const name of ['CODE_SECRET', 'SMTP_URL', 'MAIL_FROM']) {
    delete process.env[`DEVICEPORTAL_${name}`];
  }
  await new Promise<void>((resolve) => smtp.close(resolve));
  await rm(folder, { recursive: true });
});

const newestCode = () => /^Subject: (\d{6}) /m.exec(mails.at(-1) ?? '')?.[1] ?? 'no mail';

type Event<Name extends keyof ChallengeTriggers> = Parameters<ChallengeTriggers[Name]>[0];

/** What the pool passes on in the second round: only what the functions returned. */
async function firstRound() {
  const define = await triggers.defineAuthChallenge(
    recorded.define as unknown as Event<'defineAuthChallenge'>,
  );
  const create = await triggers.createAuthChallenge(
    recorded.create as unknown as Event<'createAuthChallenge'>,
  );
  return { define: define.response, create: create.response };
}

function verify(privateParameters: unknown, challengeAnswer: string) {
  const { request } = recorded.verify;
  return triggers.verifyAuthChallengeResponse({
    ...recorded.verify,
    request: { ...request, privateChallengeParameters: privateParameters, challengeAnswer },
  } as unknown as Event<'verifyAuthChallengeResponse'>);
}

describe('the bundled handlers with events of a hosted pool', () => {
  it('request a code, send it, and accept only the right one', async () => {
    const { define, create } = await firstRound();
    expect(define).toMatchObject({ challengeName: 'CUSTOM_CHALLENGE', issueTokens: false });
    expect(create.publicChallengeParameters).toMatchObject({
      medium: 'email',
      destination: 'a•••@corp.example',
      attemptsLeft: '3',
    });
    const code = newestCode();
    expect(code).toMatch(/^\d{6}$/);
    expect(JSON.stringify(create)).not.toContain(code);
    const { privateChallengeParameters } = create;
    expect((await verify(privateChallengeParameters, otherCode(code))).response).toEqual({
      answerCorrect: false,
    });
    expect((await verify(privateChallengeParameters, ` ${code} `)).response).toEqual({
      answerCorrect: true,
    });
  });

  it('issue tokens after a correct round, and end the sign-in after three incorrect ones', async () => {
    const { create } = await firstRound();
    const round = (challengeResult: boolean) => ({
      challengeName: 'CUSTOM_CHALLENGE',
      challengeResult,
      challengeMetadata: create.challengeMetadata,
    });
    const decide = async (results: readonly boolean[]) => {
      const { request } = recorded.define;
      const event = { ...recorded.define, request: { ...request, session: results.map(round) } };
      const answer = await triggers.defineAuthChallenge(
        event as unknown as Event<'defineAuthChallenge'>,
      );
      return answer.response;
    };
    expect(await decide([false, true])).toMatchObject({ issueTokens: true });
    expect(await decide([false, false])).toMatchObject({ challengeName: 'CUSTOM_CHALLENGE' });
    expect(await decide([false, false, false])).toMatchObject({ failAuthentication: true });
  });

  it('reject the round of another code, a modified one, and that of another user', async () => {
    const { create } = await firstRound();
    const code = newestCode();
    const reference = create.privateChallengeParameters?.['code'] ?? '';
    const prolonged = reference.replace(
      /\.(\d{13})\.(\d{13})\./,
      (_all, sent: string, end: string) => `.${sent}.${Number(end) + 600_000}.`,
    );
    expect(prolonged).not.toBe(reference);
    for (const changed of [prolonged, reference.slice(1), '', `${reference}x`]) {
      expect((await verify({ code: changed }, code)).response).toEqual({ answerCorrect: false });
    }
    const stranger = structuredClone(recorded.verify);
    stranger.request.userAttributes.sub = '00000000-7d0a-4f35-9c55-0f6b1a2c3d4e';
    const { response } = await triggers.verifyAuthChallengeResponse({
      ...stranger,
      request: {
        ...stranger.request,
        privateChallengeParameters: { code: reference },
        challengeAnswer: code,
      },
    } as unknown as Event<'verifyAuthChallengeResponse'>);
    expect(response).toEqual({ answerCorrect: false });
  });
});

describe('a pool whose triggers are the bundle', () => {
  async function startPool() {
    const server = await startIdentityServer({ triggers, settings: { limits: 'off' } });
    await server.service.users.createUser(anna);
    return server;
  }

  it('completes a sign-in with an incorrect code, a request for another one, and the correct one', async () => {
    await using server = await startPool();
    let reply = await startSignIn(server, anna.email);
    const code = newestCode();
    const attemptsLeft = () => reply.ChallengeParameters?.['attemptsLeft'];
    reply = await answerChallenge(server, { session: reply.Session, answer: otherCode(code) });
    expect(attemptsLeft()).toBe('2');
    for (let wish = 0; wish < 3; wish += 1) {
      const metadata = { resend: 'true' };
      reply = await answerChallenge(server, { session: reply.Session, answer: 'resend', metadata });
    }
    expect([attemptsLeft(), newestCode()]).toEqual(['2', code]);
    reply = await answerChallenge(server, { session: reply.Session, answer: otherCode(code) });
    expect(attemptsLeft()).toBe('1');
    reply = await answerChallenge(server, { session: reply.Session, answer: code });
    expect(reply.AuthenticationResult?.AccessToken).toBeDefined();
  });

  it('ends the sign-in at the third incorrect code', async () => {
    await using server = await startPool();
    let { Session: session } = await startSignIn(server, anna.email);
    const answer = otherCode(newestCode());
    for (let wrong = 0; wrong < 2; wrong += 1) {
      ({ Session: session } = await answerChallenge(server, { session, answer }));
    }
    await expect(answerChallenge(server, { session, answer })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
  });
});

describe('a module of custom triggers', () => {
  async function moduleOf(source: string): Promise<string> {
    const file = join(folder, `own-${Math.random()}.mjs`);
    await writeFile(file, source);
    return file;
  }

  it('replaces one trigger by one function', async () => {
    const file = await moduleOf(
      "export const createAuthChallenge = async () => { throw new Error('not on Sundays'); };",
    );
    await using server = await startIdentityServer({ triggers: await loadSignInTriggers(file) });
    await server.service.users.createUser(anna);
    await expect(startSignIn(server, anna.email)).rejects.toMatchObject({
      name: 'UserLambdaValidationException',
      message: 'CreateAuthChallenge failed with error not on Sundays.',
    });
  });

  it.each([
    ['export const other = 1;', /exports none of defineAuthChallenge/],
    [
      'export const defineAuthChallenge = 1;',
      /exports defineAuthChallenge, which is not a function/,
    ],
    ['this is no module', /could not be loaded/],
  ])('stops the start for %j with a line that names the file', async (source, line) => {
    const file = await moduleOf(source);
    await expect(loadSignInTriggers(file)).rejects.toThrow(line);
    await expect(loadSignInTriggers(file)).rejects.toMatchObject({ name: 'StartError' });
  });

  it('names a file that does not exist', async () => {
    await expect(loadSignInTriggers('/nowhere/triggers.mjs')).rejects.toThrow(
      /\/nowhere\/triggers\.mjs .*DEVICEPORTAL_SIGN_IN_TRIGGERS/,
    );
  });
});
