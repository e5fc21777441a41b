import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { enrollTestDevice, rowsOf, until } from '../support/gateway-fixture.ts';
import { openRealAgentFixture, type RealAgentFixture } from '../support/real-agent-fixture.ts';

let setup: RealAgentFixture;
beforeAll(async () => {
  setup = await openRealAgentFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

/** A file that only the attacker's command would create. */
function newMarker(): { readonly command: string; readonly isMade: () => Promise<boolean> } {
  const file = join(setup.directory, randomUUID());
  return {
    command: `touch ${file}`,
    isMade: () =>
      access(file).then(
        () => true,
        () => false,
      ),
  };
}

test('an authorized run is executed by a device that verifies signatures', async () => {
  const { command, isMade } = newMarker();
  const run = await setup.request(command);
  expect(await setup.deliver(run.id)).toMatchObject({ status_details: 'Success' });
  expect(await isMade()).toBe(true);
});

test('a person with write access to the database cannot change the parameters of a queued run', async () => {
  const { command, isMade } = newMarker();
  const run = await setup.request('true');
  await setup.sql(
    `update command_run set parameters = jsonb_set(parameters, '{script}', $2) where id = $1`,
    [run.id, JSON.stringify([command])],
  );
  expect(await setup.deliver(run.id)).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('its signature does not match the parameters'),
  });
  expect(await isMade()).toBe(false);
  const events = await until(async () => {
    const found = await rowsOf<{ data: object }>(
      setup.setup.database,
      `select data from audit_event where type = 'device-event.command-refused' and data->>'runId' = $1`,
      [run.id],
    );
    return found.length > 0 && found;
  });
  expect(events[0]?.data).toMatchObject({ reason: 'signature', fault: 'parameters' });
});

test('a person with write access to the database cannot change the text of a document before delivery', async () => {
  const { command, isMade } = newMarker();
  const run = await setup.request('true');
  const { documentName } = run;
  const original = await rowsOf<{ parsed: object }>(
    setup.setup.database,
    'select parsed from document_version where document_name = $1',
    [documentName],
  );
  const evil = JSON.stringify(original[0]?.parsed).replaceAll('{{ script }}', command);
  await setup.sql('update document_version set parsed = $2 where document_name = $1', [
    documentName,
    evil,
  ]);
  const end = await setup.deliver(run.id);
  await setup.sql('update document_version set parsed = $2 where document_name = $1', [
    documentName,
    JSON.stringify(original[0]?.parsed),
  ]);
  expect(end).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('does not match the document'),
  });
  expect(await isMade()).toBe(false);
});

test('a person with write access to the database cannot change the execution timeout of a run', async () => {
  const run = await setup.request('true');
  await setup.sql('update command_run set execution_timeout_seconds = 1 where id = $1', [run.id]);
  expect(await setup.deliver(run.id)).toMatchObject({ status_details: 'Access Denied' });
});

test('a person with write access to the database cannot extend the delivery timeout of a run', async () => {
  const run = await setup.request('true');
  await setup.sql(
    `update invocation set deliver_before = deliver_before + interval '1 day' where run_id = $1`,
    [run.id],
  );
  expect(await setup.deliver(run.id)).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('delivery time'),
  });
});

test('a person with write access to the database cannot send a run without a signature', async () => {
  const { command, isMade } = newMarker();
  const run = await setup.request(command);
  await setup.sql('delete from run_signature where run_id = $1', [run.id]);
  expect(await setup.deliver(run.id)).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('its signature is missing'),
  });
  expect(await isMade()).toBe(false);
});

test('a person with write access to the database cannot sign with their own key', async () => {
  const run = await setup.request('true');
  await setup.sql(
    `update run_signature set statement = replace(statement, '"command":"shell"', '"command":"other"') where run_id = $1`,
    [run.id],
  );
  expect(await setup.deliver(run.id)).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('its signature is not valid'),
  });
});

test('a person with write access to the database cannot run a command twice on a device', async () => {
  const { command, isMade } = newMarker();
  const run = await setup.request(command);
  await setup.deliver(run.id);
  expect(await isMade()).toBe(true);
  await setup.sql(
    `insert into invocation (id, run_id, device_id, state, status_details, queued_at, deliver_before, expires_at)
     select $2, run_id, device_id, 'Pending', 'Pending', now(), deliver_before, expires_at from invocation where run_id = $1`,
    [run.id, newId()],
  );
  await setup.sql(
    `update command_run set ended_at = null, state = 'InProgress', pending_count = 1 where id = $1`,
    [run.id],
  );
  const end = await until(async () => {
    const rows = await rowsOf<{ status_details: string }>(
      setup.setup.database,
      'select status_details from invocation where run_id = $1 and ended_at is not null order by id',
      [run.id],
    );
    return rows.length === 2 && rows[1];
  });
  expect(end).toMatchObject({ status_details: 'Access Denied' });
});

test('a person with write access to the database cannot add a device to a run', async () => {
  const { command, isMade } = newMarker();
  const others = await Promise.all([enrollTestDevice(setup.setup), enrollTestDevice(setup.setup)]);
  const run = await setup.request(
    command,
    others.map(({ deviceId }) => deviceId),
  );
  await setup.sql(
    `insert into invocation (id, run_id, device_id, state, status_details, queued_at, deliver_before, expires_at)
     select $2, run_id, $3, 'Pending', 'Pending', now(), deliver_before, expires_at
     from invocation where run_id = $1 limit 1`,
    [run.id, newId(), setup.deviceId],
  );
  expect(await setup.deliver(run.id)).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('does not cover this device'),
  });
  expect(await isMade()).toBe(false);
});

test('a person with write access to the database cannot use the signature of one run for another', async () => {
  const first = await setup.request('true');
  await setup.deliver(first.id);
  const { command, isMade } = newMarker();
  const run = await setup.request(command);
  await setup.sql(
    `update run_signature as mine set statement = other.statement, signatures = other.signatures
     from run_signature as other where mine.run_id = $1 and other.run_id = $2`,
    [run.id, first.id],
  );
  expect(await setup.deliver(run.id)).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('belongs to another run'),
  });
  expect(await isMade()).toBe(false);
});
