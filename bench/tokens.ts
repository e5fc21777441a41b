import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  createBearerCheck,
  type BearerCheck,
} from '../apps/server/src/session/token-check/check-token.ts';
import { createInProcessFetcher } from '../apps/server/src/session/token-check/fetch-key-set.ts';
import { printRatio } from './device-fixture.ts';

/** Minimum rate of the complete check of an unknown token, relative to its signature alone. */
const COLD_LIMIT = 0.75;
/** Minimum rate of the check of a cached token, relative to the complete check. */
const REPEATED_LIMIT = 5;
const TOKENS = 20_000;
const TURNS = 5;

interface Signed {
  readonly token: string;
  readonly input: Buffer;
  readonly signature: Buffer;
}

/**
 * Token checks per second of CPU time on one thread: RS256 with 2048 bits, distinct ID tokens of
 * 1.1 kB. Bare signature checks, complete checks, and cached checks alternate, so that the
 * machine's load affects all of them; the best round of each is used. `--seconds 2` per round.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '2' } } });
  const milliseconds = Number(values.seconds) * 1_000;
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  const tokens = Array.from({ length: TOKENS }, (_, number) => makeToken(privateKey, number));
  const makeCheck = (cachedTokens: number): BearerCheck =>
    createBearerCheck({
      ...{ issuer, clientId, use: 'id', dialect: 'cognito', cachedTokens },
      fetcher: createInProcessFetcher(async () => ({ keys: [jwk] })),
    });
  // The cache is smaller than the number of tokens, so every lookup is a miss and every result is
  // stored.
  const cold = makeCheck(TOKENS / 2);
  const repeated = makeCheck(1_000);
  const work = {
    bare: async ({ input, signature }: Signed) => verify('RSA-SHA256', input, publicKey, signature),
    cold: ({ token }: Signed) => cold.check(token),
    repeated: (_signed: Signed, turn: number) =>
      repeated.check((tokens[turn % 1_000] as Signed).token),
  };
  const best = { bare: 0, cold: 0, repeated: 0 };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const name of ['bare', 'cold', 'repeated'] as const) {
      best[name] = Math.max(best[name], await perCpuSecond(milliseconds, tokens, work[name]));
    }
  }
  const line = (name: string, rate: number) =>
    process.stdout.write(`${name.padEnd(34)} ${rate.toFixed(0).padStart(9)} / CPU-s\n`);
  line('bare crypto.verify', best.bare);
  line('token never seen (cold)', best.cold);
  line('token seen before (repeated)', best.repeated);
  printRatio('cold / bare crypto.verify', best.cold / best.bare, { atLeast: COLD_LIMIT });
  printRatio('repeated / cold', best.repeated / best.cold, { atLeast: REPEATED_LIMIT });
}

const issuer = 'http://localhost:8080/identity/us-east-1_DevicePortal';
const clientId = 'deviceportalweb';

function makeToken(key: Parameters<typeof sign>[2], number: number): Signed {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const segment = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const id = (name: string): string => `${name}-${String(number).padStart(30, '0')}`;
  const claims = {
    ...{ sub: id('sub'), iss: issuer, aud: clientId, token_use: 'id', jti: id('jti') },
    ...{ auth_time: nowSeconds, iat: nowSeconds, exp: nowSeconds + 3_600 },
    ...{ origin_jti: id('origin'), event_id: id('event'), email: 'ada@corp.example' },
    ...{ email_verified: true, name: 'Ada', 'cognito:username': 'ada' },
    ...{
      'cognito:groups': ['DevicePortal_Admin'],
      'cognito:roles': ['arn:aws:iam::000000000000:role/x'],
    },
  };
  const text = `${segment({ kid: 'one', alg: 'RS256' })}.${segment(claims)}`;
  const input = Buffer.from(text);
  const signature = sign('RSA-SHA256', input, key);
  return { token: `${text}.${signature.toString('base64url')}`, input, signature };
}

let next = 0;

async function perCpuSecond(
  milliseconds: number,
  tokens: readonly Signed[],
  work: (signed: Signed, turn: number) => Promise<unknown>,
): Promise<number> {
  const startedAt = process.cpuUsage();
  const endAt = performance.now() + milliseconds;
  let done = 0;
  while (performance.now() < endAt) {
    for (let count = 0; count < 100; count += 1) {
      next = (next + 1) % tokens.length;
      await work(tokens[next] as Signed, next);
    }
    done += 100;
  }
  const { user, system } = process.cpuUsage(startedAt);
  return done / ((user + system) / 1_000_000);
}

await main();
