import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedClaim } from '@deviceportal/contract/devices';
import type { RunDetail } from '@deviceportal/contract/runs';
import { UPLOAD_PURPOSE } from '../../../src/commands/artifacts/sign-artifact-url.ts';
import { openInstallationSecrets } from '../../../src/platform/installation-secrets.ts';
import { keyPurposes } from '../../../src/platform/secrets/key-purposes.ts';
import { createFileSecrets } from '../../../src/platform/secrets/file-secret-engine.ts';
import { createUrlSigner } from '../../../src/platform/files/url-signer.ts';
import { SHARE_PURPOSE } from '../../../src/reports/sharing/open-share.ts';
import { SOFTWARE_UPLOAD_PURPOSE } from '../../../src/versions/software-files/sign-software-url.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { enrollMachineAt } from '../../support/enrolling-machine.ts';
import type { ExchangeAnswer } from '../../support/exchanges/exchange.ts';
import { heapAfterCollection } from '../../support/exchanges/heap-after-collection.ts';
import { playMutated } from '../../support/exchanges/play-exchanges.ts';
import { recordExchanges } from '../../support/exchanges/record-exchanges.ts';
import { signIn } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const isThorough = process.env['DEVICEPORTAL_TEST_THOROUGH'] === 'true';
const JOURNEYS = isThorough ? 3 : 1;
const INPUTS_EACH = isThorough ? 3_000 : 400;
/** Pages of the portal, which server tests do not build. */
const NOT_BUILT = 503;
const MIB = 1024 * 1024;
/** A frame with its position: the bundle of the agent has lines that begin with "at", too. */
const STACK_TRACE = /\n {4}at .+:\d+:\d+/;
const SOME_ID = '019a0000-0000-7000-8000-0000000000b1';
const PAGES = [
  ...['/', '/devices', '/healthz', '/readyz', '/metrics', '/api/config', '/outbox', '/nothing'],
  ...['/outbox/messages', '/outbox/templates', '/agent/install.sh', '/agent/agent.mjs'],
  ...['/identity/us-east-1_DevicePortal/.well-known/jwks.json', '/assets/none.js', '/favicon.ico'],
];

const log: string[] = [];
let portal: TestServer;
beforeAll(async () => {
  portal = await startTestServer(
    [],
    { DEVICEPORTAL_LOG_LEVEL: 'error' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        log.push(chunk.toString());
        done();
      },
    }),
  );
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Records the exchanges of a browser, of an enrolling machine, and of links with valid signatures. */
async function travel(): Promise<void> {
  const { url, installation } = portal;
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    await (await fetch(url + path, { redirect: 'manual', ...init })).arrayBuffer();
  };
  for (const page of PAGES) await ask(page);
  await signIn(url, 'admin@deviceportal.local');
  const admin = await AccessFixture.open(portal, 'admin');
  const { token } = await admin.done<CreatedClaim>('devices.createClaim', { uses: 5 });
  const { body } = await enrollMachineAt({
    url,
    claimToken: token,
    serialNumber: `S${Date.now()}`,
  });
  const run = await admin.done<RunDetail>('commands.run', {
    command: 'logs/collect',
    target: { kind: 'devices', deviceIds: [body.deviceId] },
    idempotencyKey: crypto.randomUUID(),
  });
  const { keysFor } = await openInstallationSecrets(createFileSecrets(installation.dataDir));
  const signer = createUrlSigner(keysFor(keyPurposes.links), () => new Date());
  const signed = (purpose: string, subject: string) => signer.sign(purpose, subject, 600);
  const { invocationId } = run;
  const upload = signed(UPLOAD_PURPOSE, invocationId ?? '');
  const file = { method: 'PUT', body: 'a log' };
  await ask(`/device-artefacts/${invocationId}?${upload}&name=a.log`, file);
  await ask(`/software-files?key=x&${signed(SOFTWARE_UPLOAD_PURPOSE, 'x')}`, file);
  await ask(`/shared/${SOME_ID}?${signed(SHARE_PURPOSE, SOME_ID)}`);
  const links = ['artefacts/', 'run-results/', 'user-report/', 'air-blast-report/', 'exports/'];
  for (const link of links)
    await ask(`/${link}${SOME_ID}.csv?user=${SOME_ID}&${signed('x', SOME_ID)}`);
}

function faultOf({ status, text }: ExchangeAnswer): string | null {
  const isFault = (status >= 500 && status !== NOT_BUILT) || STACK_TRACE.test(text);
  return isFault ? `${status} ${text.slice(0, 300)}` : null;
}

test(
  'no mutation of browser and machine requests makes the server fail',
  async () => {
    const port = Number(new URL(portal.url).port);
    const heaps: number[] = [];
    for (let journey = 0; journey < JOURNEYS; journey += 1) {
      const exchanges = await recordExchanges(port, travel);
      expect(exchanges.length).toBeGreaterThan(30);
      expect(await playMutated({ port, exchanges, inputs: INPUTS_EACH, faultOf })).toEqual([]);
      // Each would be a stack trace in the operator's log.
      expect(log.filter((line) => !line.includes(`"status":${NOT_BUILT}`))).toEqual([]);
      heaps.push(heapAfterCollection());
    }
    expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(64 * MIB);
    await travel();
  },
  isThorough ? 600_000 : 60_000,
);
