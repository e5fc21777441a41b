import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signStatement, statementTypes } from '@deviceportal/command-signing/signed-statement';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { undoRun } from '../../src/commands/undo/undo-run.ts';
import { type AirBlastFixture } from '../support/air-blast/air-blast-fixture.ts';
import { origin, runInput, shownDevices } from '../support/command-fixture.ts';
import {
  DOCUMENT,
  openTamperingFixture,
  type TamperingFixture,
} from '../support/tampering-fixture.ts';

let attacked: TamperingFixture;
let fixture: AirBlastFixture;
beforeAll(async () => {
  attacked = await openTamperingFixture();
  ({ fixture } = attacked);
});
afterAll(() => attacked[Symbol.asyncDispose]());

describe('a person with write access to the database cannot run code by a run that a user repeats', () => {
  async function ended(): Promise<{ readonly id: string; readonly deviceIds: readonly string[] }> {
    fixture.setNow(null);
    const deviceIds = await attacked.devices(2);
    const { id } = await runCommand(
      fixture.deps,
      attacked.operator,
      runInput({
        command: 'document',
        document: DOCUMENT,
        target: { kind: 'devices', deviceIds },
        parameters: { channel: '11', key: 'secret' },
      }),
    );
    const steps = JSON.stringify([{ index: 0, name: 'set', action: 'x', state: 'Success' }]);
    await attacked.write(sql`
      update invocation set state = 'Success', status_details = 'Success', ended_at = now(), steps = ${steps}::jsonb
      where run_id = ${id}`);
    await attacked.write(
      sql`update command_run set state = 'Success', ended_at = now() where id = ${id}`,
    );
    return { id, deviceIds };
  }
  /** The user is shown the content of the database, and confirms. */
  async function devicesOf(runId: string): Promise<string[]> {
    const { rows } = await attacked.write(
      sql`select device_id as id from invocation where run_id = ${runId}`,
    );
    return (rows as { id: string }[]).map(({ id }) => id);
  }
  const rerun = async (runId: string) =>
    rerunCommand(fixture.deps, attacked.operator, {
      ...{ runId, onlyFailed: false, answer: null, confirmation: '', origin },
      agreement: shownDevices(await devicesOf(runId)),
      idempotencyKey: randomUUID(),
    });
  const undo = async (runId: string) =>
    undoRun(fixture.deps, attacked.operator, {
      ...{ runId, deviceId: null, comment: '', confirmation: '', origin },
      agreement: shownDevices(await devicesOf(runId)),
      idempotencyKey: randomUUID(),
    });

  it('and an unmodified run can be repeated and undone', async () => {
    const { id } = await ended();
    expect(await rerun(id)).toMatchObject({ command: 'document' });
    expect(await undo(id)).toMatchObject({ undoes: id });
  });

  it.each<[string, string, (id: string) => SQL]>([
    [
      'other parameters',
      'parameters',
      (id) =>
        sql`update command_run set parameters = parameters || '{"channel":"EVIL"}' where id = ${id}`,
    ],
    [
      'another secret parameter',
      'parameters',
      (id) =>
        sql`update command_run set parameters = jsonb_set(parameters, '{$sealed,key}', '"AAAA"') where id = ${id}`,
    ],
    [
      'a further device',
      'devices',
      (id) => sql`
        insert into invocation (id, run_id, device_id, state, status_details, queued_at, ended_at, deliver_before, expires_at, steps)
        select gen_random_uuid(), run_id, (select id from device order by id limit 1), 'Success', 'Success', now(), now(),
          deliver_before, expires_at, steps from invocation where run_id = ${id} limit 1`,
    ],
    [
      'all devices at once',
      'limits',
      (id) => sql`update command_run set max_concurrency = '100%' where id = ${id}`,
    ],
  ])('with %s', async (_what, part, change) => {
    const { id } = await ended();
    await attacked.write(change(id));
    const before = await attacked.countRuns();
    const refusal = { code: 2004, facts: { reason: 'authorization-mismatch', fault: 'changed' } };
    await expect(undo(id)).rejects.toMatchObject(refusal);
    await attacked.expectReported(id, { kind: 'run', changed: [part] });
    await expect(rerun(id)).rejects.toMatchObject(refusal);
    expect(await attacked.countRuns()).toBe(before);
  });

  it('by other undo steps of its document', async () => {
    const { id } = await ended();
    const before = await attacked.countRuns();
    await attacked.whileDocumentIsChanged('phases', () =>
      expect(undo(id)).rejects.toMatchObject({ facts: { fault: 'changed' } }),
    );
    expect(await attacked.countRuns()).toBe(before);
    await attacked.expectReported(id, { changed: ['document'] });
  });

  it('by one signed before signatures covered limits and the whole document', async () => {
    const { id } = await ended();
    const { rows } = await attacked.write(
      sql`select statement from run_signature where run_id = ${id}`,
    );
    const { limits: _limits, ...older } = JSON.parse((rows[0] as { statement: string }).statement);
    const { current } = fixture.deps.signing.keys;
    const { payload, signatures } = await signStatement(statementTypes.run, older, current);
    await attacked.write(sql`
      update run_signature set statement = ${payload}, signatures = ${JSON.stringify(signatures)}::jsonb
      where run_id = ${id}`);
    await expect(rerun(id)).rejects.toMatchObject({ facts: { fault: 'unsigned' } });
  });

  it('by one that was never requested', async () => {
    const { id } = await ended();
    await attacked.write(sql`delete from run_signature where run_id = ${id}`);
    await expect(rerun(id)).rejects.toMatchObject({ facts: { fault: 'unsigned' } });
    await attacked.expectReported(id, { fault: 'unsigned' });
  });
});
