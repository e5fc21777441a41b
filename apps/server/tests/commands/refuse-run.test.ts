import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocument, type CreateDocument } from '../../src/documents/create-document.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { deprecateDocument } from '../../src/documents/deprecate-document.ts';
import { publishVersion } from '../support/publish-document.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  createCommandFixture,
  may,
  origin,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');
const administrator = viewerWith('Administrator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const on = (...deviceIds: string[]) => ({ kind: 'devices', deviceIds }) as const;

async function oneDevice(device: Parameters<typeof seedDevices>[1][number] = {}): Promise<string> {
  const [id = ''] = await seedDevices(test.database, [device]);
  return id;
}

async function count(statement: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await test.database.orm.execute(statement);
  return Number((rows[0] as { count: string }).count);
}

describe('a rejected run', () => {
  it('without a device is 4001', async () => {
    await expect(
      runCommand(fixture.deps, operator, runInput({ command: 'logs/tail' })),
    ).rejects.toMatchObject({ code: 4001 });
  });

  it('of an unknown command is 4002 with similar names', async () => {
    const input = runInput({ command: 'logs/rotate', target: on(await oneDevice()) });
    await expect(runCommand(fixture.deps, operator, input)).rejects.toMatchObject({
      code: 4002,
      facts: { nearest: 'logs/tail, logs/collect' },
    });
  });

  it('of a command that needs a serial number is 4003 on a device without one', async () => {
    const target = on(await oneDevice({ serialNumber: null }));
    const parameters = { component: 'player', version: '2.0.0' };
    await expect(
      runCommand(
        fixture.deps,
        operator,
        runInput({ command: 'software/install', target, parameters }),
      ),
    ).rejects.toMatchObject({ code: 4003 });
  });

  it('of the document of such a command is 4003 through the document command too', async () => {
    const target = on(await oneDevice({ serialNumber: null }));
    const parameters = { component: 'player', version: '2.0.0' };
    const input = {
      command: 'document',
      document: 'DevicePortal-software-install',
      target,
      parameters,
    };
    await expect(runCommand(fixture.deps, operator, runInput(input))).rejects.toMatchObject({
      code: 4003,
    });
  });

  it('on an unknown device is 6000', async () => {
    const input = runInput({ command: 'logs/tail', target: on(randomUUID()) });
    await expect(runCommand(fixture.deps, operator, input)).rejects.toMatchObject({ code: 6000 });
  });

  it('on a device out of scope is 6000, not 1000', async () => {
    const elsewhere = viewerWith('Support', { countries: ['FR'], models: [], labels: {} });
    const input = runInput({ command: 'logs/tail', target: on(await oneDevice()) });
    await expect(runCommand(fixture.deps, elsewhere, input)).rejects.toMatchObject({ code: 6000 });
  });

  it('on a visible device without permission is 1000', async () => {
    const viewer = viewerHolding([
      may(['devices:read', 'commands:read']),
      may(['commands:run:@reads'], { countries: ['FR'], models: [], labels: {} }),
    ]);
    const input = runInput({ command: 'logs/tail', target: on(await oneDevice()) });
    await expect(runCommand(fixture.deps, viewer, input)).rejects.toMatchObject({ code: 1000 });
  });

  it('on a device without a current instance is 6001', async () => {
    const input = runInput({
      command: 'logs/tail',
      target: on(await oneDevice({ enrolled: false })),
    });
    await expect(runCommand(fixture.deps, operator, input)).rejects.toMatchObject({ code: 6001 });
  });

  it.each(['suspended', 'retired'])(
    'on a %s device is 2004 with its lifecycle',
    async (lifecycle) => {
      const input = runInput({ command: 'logs/tail', target: on(await oneDevice({ lifecycle })) });
      await expect(runCommand(fixture.deps, operator, input)).rejects.toMatchObject({
        code: 2004,
        facts: { lifecycle },
      });
    },
  );

  it('with a consequence beyond the viewer’s permissions is 1000 with the permission', async () => {
    const target = on(await oneDevice());
    await expect(
      runCommand(
        fixture.deps,
        viewerWith('Support'),
        runInput({ command: 'shell', target, parameters: { script: 'id' } }),
      ),
    ).rejects.toMatchObject({ code: 1000, facts: { permission: 'commands:run:@disrupts' } });
  });

  it('with another document than the one that the command permission is for is 1000', async () => {
    const viewer = viewerHolding([
      may(['devices:read', 'commands:read', 'commands:run:logs/tail']),
    ]);
    const target = on(await oneDevice());
    const document = 'DevicePortal-factory-reset';
    await expect(
      runCommand(fixture.deps, viewer, runInput({ command: 'logs/tail', document, target })),
    ).rejects.toMatchObject({ code: 1000 });
    const run = await runCommand(fixture.deps, viewer, runInput({ command: 'logs/tail', target }));
    expect(run.documentName).toBe('DevicePortal-logs-tail');
  });

  it('with invalid parameters is 2004 with a path for each', async () => {
    const input = runInput({
      command: 'network/ping',
      target: on(await oneDevice()),
      parameters: { host: 'a b; reboot', count: 0, speed: 1 },
    });
    const error = await runCommand(fixture.deps, operator, input).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 2004 });
    const paths = (error as { issues: { path: string[] }[] }).issues.map(({ path }) =>
      path.join('.'),
    );
    expect(paths.toSorted()).toEqual(['parameters.count', 'parameters.host', 'parameters.speed']);
  });

  it('that is destructive needs the typed serial number, checked by the server', async () => {
    const target = on(await oneDevice({ serialNumber: 'SN-RESET-1' }));
    const refused = runCommand(
      fixture.deps,
      administrator,
      runInput({ command: 'factory-reset', target, confirmation: 'yes' }),
    );
    await expect(refused).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['confirmation'] }],
    });
    const run = await runCommand(
      fixture.deps,
      administrator,
      runInput({ command: 'factory-reset', target, confirmation: ' sn-reset-1 ' }),
    );
    expect(run.consequence).toBe('destroys');
  });

  it('that is destructive on many devices needs their typed number', async () => {
    const target = on(await oneDevice(), await oneDevice(), await oneDevice());
    const input = { command: 'factory-reset', target } as const;
    await expect(
      runCommand(fixture.deps, administrator, runInput({ ...input, confirmation: '2' })),
    ).rejects.toMatchObject({ code: 2004 });
    const run = await runCommand(
      fixture.deps,
      administrator,
      runInput({ ...input, confirmation: '3' }),
    );
    expect(run.counters.target).toBe(3);
  });

  it('of a draft or a deprecated document is 2004', async () => {
    const content =
      'schemaVersion: "2.2"\nmainSteps:\n  - action: aws:runShellScript\n    name: one\n    inputs: { runCommand: ["true"] }\n';
    const document = {
      name: 'acme-draft',
      description: '',
      consequence: 'reads' as const,
      secretParameters: [],
      labels: {},
      content,
      note: '',
    } satisfies Omit<CreateDocument, 'origin'>;
    await createDocument(fixture.deps, operator, { ...document, origin });
    const target = on(await oneDevice());
    const run = () =>
      runCommand(
        fixture.deps,
        operator,
        runInput({ command: 'document', document: 'acme-draft', target }),
      );
    await expect(run()).rejects.toMatchObject({
      code: 2004,
      reason: 'document-not-active',
      facts: { state: 'draft', approverRoles: 'Administrator' },
    });
    await publishVersion(fixture.deps, operator, { name: 'acme-draft', version: 1 });
    await expect(run()).resolves.toMatchObject({ documentVersion: 1 });
    await deprecateDocument(fixture.deps, administrator, {
      name: 'acme-draft',
      version: null,
      origin,
    });
    await expect(run()).rejects.toMatchObject({ code: 2004, facts: { state: 'deprecated' } });
  });

  it('of an unknown document is 2003', async () => {
    const input = runInput({
      command: 'document',
      document: 'nothing:7',
      target: on(await oneDevice()),
    });
    await expect(runCommand(fixture.deps, operator, input)).rejects.toMatchObject({ code: 2003 });
  });

  it('stores nothing', async () => {
    const before = await count(sql`select count(*) from command_run`);
    const target = on(await oneDevice(), randomUUID());
    await expect(
      runCommand(fixture.deps, operator, runInput({ command: 'logs/tail', target })),
    ).rejects.toMatchObject({ code: 6000 });
    expect(await count(sql`select count(*) from command_run`)).toBe(before);
  });
});
