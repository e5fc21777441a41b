import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DataSourceView } from '@deviceportal/contract/data-sources';
import { OutsideTables } from '../../../../packages/aws/tests/parts/outside-tables.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startDynamoDbLocal } from '../../../../packages/aws/tests/parts/start-dynamodb-local.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { softwareTableLayout } from '../../src/versions/software-table/software-item.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { until } from '../support/gateway-fixture.ts';
import { startTestServer } from '../support/start-test-server.ts';

describe.skipIf(lacks('DynamoDB Local'))('a server with a software version table', () => {
  let part: RunningPart;
  beforeAll(async () => {
    part = await startDynamoDbLocal();
  });
  afterAll(() => part[Symbol.asyncDispose]());
  afterEach(() => vi.unstubAllEnvs());

  test('reads and writes it, and shows administrators its state', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', part.credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', part.credentials.secretAccessKey);
    const tables = new OutsideTables(part);
    await tables.create('software', softwareTableLayout);
    await tables.put('software', { component: 'os', version: '1', revision: 1 });
    await using server = await startTestServer([], {
      DEVICEPORTAL_REGION: part.region,
      DEVICEPORTAL_TABLE_ENDPOINT: part.endpoint,
      DEVICEPORTAL_SOFTWARE_VERSION_TABLE: 'software',
      DEVICEPORTAL_DEVICE_VERSION_TABLE: 'not-there',
    });
    const admin = await AccessFixture.open(server, 'admin');
    await admin.done('versions.register', { component: 'os', version: '2' });
    await until(async () => (await tables.items('software')).length === 2, 60_000);
    const list = () => admin.read<DataSourceView[]>('dataSources.list');
    const feedOf = (views: readonly DataSourceView[], name: string) =>
      views.find(({ source }) => source === name)?.feed;
    await until(async () => feedOf(await list(), 'software-versions')?.appliedCount === 1, 60_000);
    await until(async () => feedOf(await list(), 'device-versions')?.readFault != null, 60_000);
    const views = await list();
    expect(feedOf(views, 'software-versions')).toMatchObject({
      ...{ table: 'software', writtenCount: 1, readFault: null, rejectedCount: 0 },
    });
    expect(feedOf(views, 'device-versions')?.readFault).toMatch(/ResourceNotFoundException/);
    expect(feedOf(views, 'geolocations')).toBeNull();
    const stateOf = (name: string) => views.find(({ source }) => source === name);
    expect(stateOf('software-versions')).toMatchObject({ place: 'outside', state: 'working' });
    expect(stateOf('device-versions')).toMatchObject({
      ...{ state: 'failing', setting: 'DEVICEPORTAL_DEVICE_VERSION_TABLE' },
      fault: { reason: 'not-found', since: expect.any(String) },
    });
    expect(stateOf('geolocations')).toMatchObject({ place: 'embedded', state: 'embedded' });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('deviceportal_data_source_failing{source="device-versions"} 1');
    expect(metrics).toMatch(/data_source_waiting{source="software-versions",direction="out"} 0/);
    const ready = await fetch(`${server.url}/readyz`);
    expect(ready.status).toBe(200);
    const viewer = await AccessFixture.open(server, 'viewer');
    expect((await viewer.ask('dataSources.list')).code).toBe(1000);
  });
});
