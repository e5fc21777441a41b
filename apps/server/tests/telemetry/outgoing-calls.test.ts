import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { loadOptional } from '../../src/platform/load-optional.ts';
import type { TelemetryPackage } from '../../src/platform/tracing/telemetry-package.ts';
import { traced } from '../../src/platform/tracing/traced.ts';
import { isTelemetryMissing } from './is-telemetry-missing.ts';
import { openOtlpReceiver } from './otlp-receiver.ts';

const HOUR_MS = 3_600_000;

async function openTelemetry(endpoint: string): Promise<AsyncDisposable> {
  const { startTelemetry } = await loadOptional<TelemetryPackage>(
    '@deviceportal/telemetry',
    'test',
  );
  return startTelemetry({
    ...{
      endpoint,
      headers: {},
      traceShare: 1,
      traceIntervalMs: HOUR_MS,
      metricsIntervalMs: HOUR_MS,
    },
    service: { name: 'test', version: '1', instance: 'one' },
    readMetrics: async () => [],
    onFault: () => {},
  });
}

test.skipIf(isTelemetryMissing())(
  'calls to other servers are part of the work that makes them, without path and query',
  async () => {
    await using receiver = await openOtlpReceiver();
    const other = createServer((request, reply) => {
      reply.statusCode = request.url?.startsWith('/missing') === true ? 404 : 200;
      reply.end();
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    {
      await using _telemetry = await openTelemetry(receiver.url);
      await fetch(`http://${host}/outside-of-work`);
      await traced({ kind: 'internal', name: 'work', attributes: {} }, async () => {
        const reply = await fetch(`http://${host}/missing?token=secret`);
        await reply.text();
        const [response] = await once(get(`http://${host}/found?token=secret`), 'response');
        response.resume();
        await once(response, 'end');
      });
    }
    other.close();
    const work = receiver.spans.find(({ name }) => name === 'work');
    const calls = receiver.spans.filter(({ name }) => name === `GET ${host}`);
    expect(
      calls.map(({ attributes }) => attributes['http.response.status_code']).toSorted(),
    ).toEqual([200, 404]);
    expect(calls.map(({ parentId }) => parentId)).toEqual([work?.spanId, work?.spanId]);
    expect(receiver.raw()).not.toContain('secret');
  },
);

test.skipIf(isTelemetryMissing())(
  'an error is named, and its message is not exported',
  async () => {
    await using receiver = await openOtlpReceiver();
    {
      await using _telemetry = await openTelemetry(receiver.url);
      const failing = traced({ kind: 'consumer', name: 'job', attributes: {} }, async () => {
        throw new TypeError('secret');
      });
      await expect(failing).rejects.toThrow('secret');
    }
    expect(receiver.spans).toMatchObject([
      { name: 'job', hasFailed: true, attributes: { 'error.type': 'TypeError' } },
    ]);
    expect(receiver.raw()).not.toContain('secret');
  },
);

test.skipIf(isTelemetryMissing())(
  'of many spans for a receiver that is down, some are kept',
  async () => {
    await using receiver = await openOtlpReceiver();
    {
      await using _telemetry = await openTelemetry(receiver.url);
      for (let count = 0; count < 10_000; count += 1) {
        void traced({ kind: 'internal', name: 'work', attributes: {} }, async () => {});
      }
      await Promise.resolve();
    }
    expect(receiver.spans.length).toBeLessThan(5_000);
  },
);
