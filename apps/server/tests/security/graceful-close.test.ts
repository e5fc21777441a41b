import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../src/platform/http/create-http-server.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createReadinessBoard } from '../../src/platform/readiness-board.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';

test('[close-1] a server that stops does not wait for a browser that keeps its connection', async () => {
  const config = readConfig({
    argv: [],
    env: { DEVICEPORTAL_LOG_LEVEL: 'silent' },
    workingDir: tmpdir(),
  });
  const app = await createHttpServer({
    config,
    logger: createLogger(config),
    metrics: createMetrics(),
    readiness: createReadinessBoard(),
    portalDir: tmpdir(),
  });
  app.get('/slow', async () => {
    await sleep(300);
    return 'done';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  // Its headers are on their way when the server begins to stop: they do not say that the connection ends.
  const call = request({ port, host: '127.0.0.1', path: '/slow', agent });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
  });
  call.end();
  await sleep(100);
  const startedMs = performance.now();
  await app.close();
  expect(await answered).toBe(200);
  expect(performance.now() - startedMs).toBeLessThan(3_000);
  agent.destroy();
});
