import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { query, signIn } from '../support/portal-api.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { until } from '../support/gateway-fixture.ts';
import { isTelemetryMissing } from './is-telemetry-missing.ts';
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
const secretText = 'text-that-must-not-be-in-a-trace';

const envOf = (endpoint: string) => ({
  DEVICEPORTAL_OTLP_ENDPOINT: endpoint,
  DEVICEPORTAL_OTLP_HEADERS: 'authorization=Bearer%20collector',
  DEVICEPORTAL_TRACE_PERCENT: '100',
});
const find = ({ spans }: OtlpReceiver, name: string): ReceivedSpan | undefined =>
  spans.find((span) => span.name === name);

describe.skipIf(isTelemetryMissing())('a server with an OTLP receiver', () => {
  test('sends requests, procedures, and statements as one trace, without values, and logs its ID', async () => {
    await using receiver = await openOtlpReceiver();
    const lines: string[] = [];
    const log = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    {
      const env = { ...envOf(receiver.url), DEVICEPORTAL_LOG_LEVEL: 'debug' };
      await using server = await startTestServer([], env, log);
      const token = await signIn(server.url, 'admin@deviceportal.local');
      await query(server.url, {
        path: 'devices.list',
        input: { filter: { text: secretText }, pageSize: 25 },
        token,
      });
      await fetch(`${server.url}/healthz`, { headers: { traceparent } });
    }
    const procedure = find(receiver, 'devices.list');
    const request = receiver.spans.find(({ spanId }) => spanId === procedure?.parentId);
    expect(request).toMatchObject({
      name: 'GET /api/trpc/:path',
      attributes: { 'http.response.status_code': 200, 'http.request.method': 'GET' },
    });
    const statements = receiver.spans.filter(({ parentId }) => parentId === procedure?.spanId);
    expect(statements.map(({ name }) => name)).toContain('SELECT');
    expect(statements[0]).toMatchObject({
      traceId: request?.traceId,
      attributes: { 'db.system.name': 'postgresql' },
    });
    expect(receiver.raw()).not.toContain(secretText);
    expect(receiver.raw()).not.toContain('admin@deviceportal.local');
    expect(receiver.services).toEqual(new Set(['device-portal']));
    expect(receiver.authorizations).toEqual(new Set(['Bearer collector']));
    // Without a trusted proxy, the trace of the caller is not continued.
    expect(receiver.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
    const requestId = request?.attributes['deviceportal.request_id'];
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = logged.find((each) => each['requestId'] === requestId);
    expect(line?.['traceId']).toBe(request?.traceId);
  });

  test('continues the trace of a trusted proxy, and records what it chose', async () => {
    await using receiver = await openOtlpReceiver();
    {
      const env = {
        ...envOf(receiver.url),
        DEVICEPORTAL_TRUST_PROXY: 'loopback',
        DEVICEPORTAL_TRACE_PERCENT: '0',
      };
      await using server = await startTestServer([], env);
      await fetch(`${server.url}/healthz`, { headers: { traceparent } });
      await fetch(`${server.url}/healthz`, {
        headers: { traceparent: traceparent.replace(/1$/, '0') },
      });
      await fetch(`${server.url}/healthz`, { headers: { traceparent: '00-not-a-trace-01' } });
      await fetch(`${server.url}/healthz`);
    }
    expect(receiver.spans).toMatchObject([
      { name: 'GET /healthz', traceId: TRACE, parentId: '00f067aa0ba902b7' },
    ]);
  });

  test('sends the metrics of /metrics, with the same names and numbers', async () => {
    await using receiver = await openOtlpReceiver();
    let text: string;
    {
      await using server = await startTestServer([], envOf(receiver.url));
      for (let count = 0; count < 3; count += 1) await fetch(`${server.url}/healthz`);
      const path = '/healthz';
      await until(
        async () => (await metricsOf(server.url)).includes(`route="${path}",status="200"} 3`),
        10_000,
      );
      text = await metricsOf(server.url);
    }
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(receiver.metrics.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const requests = receiver.metrics.find(
      ({ name }) => name === 'deviceportal_http_request_seconds',
    );
    const point = requests?.points.find(({ attributes }) => attributes['route'] === '/healthz');
    expect(requests?.kind).toBe('histogram');
    expect(point).toMatchObject({ value: 3, attributes: { method: 'GET', status: '200' } });
    expect(point?.buckets.reduce((sum, count) => sum + count, 0)).toBe(3);
    const connections = receiver.metrics.find(
      ({ name }) => name === 'deviceportal_database_connections',
    );
    expect(connections?.points.map(({ attributes }) => attributes['state'])).toContain('open');
  });

  test('works the same without an answer from it, and stops', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await using server = await startTestServer([], envOf(`http://127.0.0.1:${port}`));
    const token = await signIn(server.url, 'admin@deviceportal.local');
    for (let count = 0; count < 50; count += 1) {
      const answer = await query(server.url, { path: 'session.get', input: undefined, token });
      expect(answer.status).toBe(200);
    }
    silent.close();
  });
});

const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
