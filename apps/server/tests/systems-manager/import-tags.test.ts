import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { callMoto } from '../../../../packages/aws/tests/parts/call-moto.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { getDevice } from '../../src/devices/get-device.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';
import type { ListInstanceTags } from '../../src/platform/aws/aws-package.ts';
import { importTags } from '../../src/systems-manager/import-tags.ts';
import { isImported } from '../../src/systems-manager/imported-keys.ts';
import { viewerWith } from '../support/command-fixture.ts';
import { rowsOf } from '../support/gateway-fixture.ts';
import { NEW_AGENT, openRunCommandFixture, type RunCommandFixture } from './run-command-fixture.ts';

type Tags = Record<string, string>;

let fixture: RunCommandFixture;
/** Tags at AWS, by instance. */
let found: Map<string, Tags>;
beforeAll(async () => {
  fixture = await openRunCommandFixture(
    ['i-0001', 'i-0002', 'mi-0003'].map((id) => ({ id, isOnline: true, agentVersion: NEW_AGENT })),
  );
  await fixture.sync();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  found = new Map();
});

/** One instance on each page. */
const listTags: ListInstanceTags = async (_tags, cursor) => {
  const ids = [...found.keys()];
  const at = cursor === undefined ? 0 : Number(cursor);
  const id = ids[at];
  const instances = id === undefined ? [] : [{ id, tags: found.get(id) ?? {} }];
  return { instances, next: at + 1 < ids.length ? String(at + 1) : undefined };
};
const importAll = (list: ListInstanceTags = listTags): Promise<void> =>
  importTags({
    ...{ database: fixture.database, changes: fixture.commands.deps.changes, listTags: list },
    ...{ tags: {}, keys: ['Team', 'portal.*'] },
  });
const labelsOf = async (instanceId: string): Promise<Tags> => {
  const deps = { database: fixture.database, clock: () => new Date() };
  const id = await fixture.deviceOf(instanceId);
  return (await getDevice(deps, viewerWith('Administrator'), id)).labels;
};
const changes = async (): Promise<number> =>
  (
    await rowsOf(
      fixture.database,
      "select from audit_event where type = 'device.labels-changed'",
      [],
    )
  ).length;

describe('tags of managed instances', () => {
  test('with the chosen keys become labels, and follow the tags; other labels stay', async () => {
    const own = await fixture.deviceOf('i-0001');
    await fixture.database.pool.query(`update device set labels = '{"shelf": "3"}' where id = $1`, [
      own,
    ]);
    found.set('i-0001', { Team: 'red', 'portal.area': 'north', Secret: 'x', 'aws:by': 'y' });
    found.set('i-0002', { Other: '1' });
    found.set('mi-0003', { Team: 'blue' });
    await importAll();
    expect(await labelsOf('i-0001')).toEqual({ shelf: '3', Team: 'red', 'portal.area': 'north' });
    expect(await labelsOf('i-0002')).toEqual({});
    expect(await labelsOf('mi-0003')).toEqual({ Team: 'blue' });
    const listed = await rowsOf<{ value: string }>(
      fixture.database,
      "select value from device_label where device_id = $1 and key = 'Team'",
      [own],
    );
    expect(listed).toEqual([{ value: 'red' }]);

    found.set('i-0001', { Team: 'green' });
    found.delete('mi-0003');
    await importAll();
    expect(await labelsOf('i-0001')).toEqual({ shelf: '3', Team: 'green' });
    expect(await labelsOf('mi-0003')).toEqual({});
  });

  test('that have not changed write nothing', async () => {
    found.set('i-0001', { Team: 'green' });
    await importAll();
    const before = await changes();
    await importAll();
    expect(await changes()).toBe(before);
  });

  test('that cannot be read completely change nothing', async () => {
    found.set('i-0001', { Team: 'green' });
    found.set('i-0002', { Team: 'green' });
    await importAll();
    found.set('i-0001', { Team: 'lost' });
    await expect(
      importAll(async (tags, cursor) => {
        if (cursor !== undefined) throw new Error('throttled');
        return listTags(tags, cursor);
      }),
    ).rejects.toThrow('throttled');
    expect(await labelsOf('i-0001')).toMatchObject({ Team: 'green' });
    expect(await labelsOf('i-0002')).toEqual({ Team: 'green' });
  });

  test('that cannot be labels are left out', async () => {
    found.set('i-0002', {
      'portal.ok': 'yes',
      'portal.not ok': 'x',
      'portal.long': 'x'.repeat(257),
    });
    await importAll();
    expect(await labelsOf('i-0002')).toEqual({ 'portal.ok': 'yes' });
  });

  test('of any keys never change a label with another key', async () => {
    const key = fc.stringMatching(/^[A-Za-z][A-Za-z.]{0,8}$/);
    await fc.assert(
      fc.property(key, fc.array(key, { maxLength: 3 }), (name, keys) => {
        const exact = isImported(name, keys);
        expect(exact).toBe(keys.includes(name));
        expect(isImported(name, [...keys, `${name.slice(0, 1)}*`])).toBe(true);
      }),
    );
  });
});

describe.skipIf(lacks('moto'))('the client of the Resource Groups Tagging API', () => {
  let moto: RunningPart;
  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto[Symbol.asyncDispose]());

  test('reads the tags of instances that have the tags of the setting, page by page', async () => {
    const { region, endpoint, credentials } = moto;
    await callMoto(
      moto,
      'ec2',
      'RunInstances',
      new URLSearchParams({
        ...{ Version: '2016-11-15', ImageId: 'ami-12c6146b', MinCount: '120', MaxCount: '120' },
        'TagSpecification.1.ResourceType': 'instance',
        'TagSpecification.1.Tag.1.Key': 'DevicePortal',
        'TagSpecification.1.Tag.1.Value': 'yes',
        'TagSpecification.1.Tag.2.Key': 'Team',
        'TagSpecification.1.Tag.2.Value': 'red',
      }),
    );
    const { createInstanceTags } = await loadAws('resource-tags', 'test');
    const list = createInstanceTags({ region, endpoint, credentials });
    const all: Awaited<ReturnType<typeof list>>['instances'][number][] = [];
    let pages = 0;
    for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages += 1) {
      const page = await list({ DevicePortal: 'yes' }, cursor);
      all.push(...page.instances);
      cursor = page.next;
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(all.map(({ id }) => id)).size).toBe(120);
    expect(all[0]).toEqual({
      ...{ id: expect.stringMatching(/^i-/), tags: { DevicePortal: 'yes', Team: 'red' } },
    });
    expect((await list({ DevicePortal: 'no' }, undefined)).instances).toEqual([]);
  });
});
