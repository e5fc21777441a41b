import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceFilterSchema } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import { createSchedule } from '../../src/commands/schedules/create-schedule.ts';
import { getSchedule } from '../../src/commands/schedules/list-schedules.ts';
import { resumeSchedule } from '../../src/commands/schedules/resume-schedule.ts';
import { showScheduleToSign } from '../../src/commands/schedules/show-schedule-to-sign.ts';
import {
  DOCUMENT,
  openTamperingFixture,
  type TamperingFixture,
} from '../support/tampering-fixture.ts';
import { origin, runInput, shownDevices } from '../support/command-fixture.ts';

let attacked: TamperingFixture;
let fixture: TamperingFixture['fixture'];
beforeAll(async () => {
  attacked = await openTamperingFixture();
  ({ fixture } = attacked);
});
afterAll(() => attacked[Symbol.asyncDispose]());

const everywhere = JSON.stringify({ kind: 'filter', filter: deviceFilterSchema.parse({}) });

/** A schedule whose signature was removed. */
async function unsigned(): Promise<string> {
  fixture.setNow(new Date('2026-11-20T12:00:00Z'));
  const deviceIds = await attacked.devices(2);
  const { idempotencyKey: _key, ...run } = runInput({
    command: 'document',
    document: DOCUMENT,
    parameters: { channel: '11', key: 'secret' },
  });
  const { id } = await createSchedule(fixture.deps, attacked.operator, {
    ...run,
    confirmation: '',
    target: { kind: 'devices', deviceIds },
    agreement: shownDevices(deviceIds),
    id: newId(),
    name: 'hourly',
    times: { kind: 'cron', cron: '0 * * * *', timeZone: 'UTC' },
    missed: 'skip',
    freeze: false,
  });
  await attacked.write(sql`update run_schedule set signed_authorization = null where id = ${id}`);
  return id;
}

describe('a person with write access to the database cannot have a schedule signed', () => {
  it.each<[string, SQL]>([
    ['parameters', sql`parameters = parameters || '{"channel":"EVIL"}'`],
    ['target', sql`target = ${everywhere}::jsonb, frozen_count = null`],
    ['maxDevices', sql`max_devices = 1000000`],
    ['maxErrors', sql`max_errors = '100%'`],
    ['timeoutSeconds', sql`timeout_seconds = 60`],
    ['times', sql`times = '{"kind":"cron","cron":"* * * * *","timeZone":"UTC"}'`],
    ['missed', sql`missed = 'run-late'`],
    ['createdBy', sql`created_by_subject = 'somebody-else'`],
    ['name', sql`name = 'nightly'`],
  ])('that gets other %s between display and signature', async (fact, change) => {
    const id = await unsigned();
    const show = () => showScheduleToSign(fixture.deps, attacked.operator, { id, origin });
    const shown = await show();
    await attacked.write(sql`update run_schedule set ${change} where id = ${id}`);
    const sign = (shownSha256: string | null) =>
      resumeSchedule(fixture.deps, attacked.operator, { id, sign: true, shownSha256, origin });
    await expect(sign(shown.sha256)).rejects.toMatchObject({
      code: 2004,
      facts: { reason: 'schedule-changed', scheduleId: id },
    });
    await expect(sign(null)).rejects.toMatchObject({ facts: { reason: 'schedule-not-shown' } });
    expect(await getSchedule(fixture.deps, attacked.operator, id)).toMatchObject({
      signed: false,
    });
    const now = await show();
    const changed = Object.keys(now.facts).filter((name) => now.facts[name] !== shown.facts[name]);
    expect(changed).toContain(fact);
  });

  it('by another text of its document between display and signature', async () => {
    const id = await unsigned();
    const { sha256 } = await showScheduleToSign(fixture.deps, attacked.operator, { id, origin });
    await attacked.whileDocumentIsChanged('parsed', async () => {
      await expect(
        resumeSchedule(fixture.deps, attacked.operator, {
          ...{ id, sign: true, shownSha256: sha256, origin },
        }),
      ).rejects.toMatchObject({ facts: { reason: 'schedule-changed' } });
    });
  });

  it('whose page hides an effective value, or reveals a secret', async () => {
    const id = await unsigned();
    await attacked.write(sql`
      update run_schedule set masked_parameters = '{"channel":"11","key":"***"}',
        parameters = parameters || '{"channel":"EVIL"}' where id = ${id}`);
    const shown = await showScheduleToSign(fixture.deps, attacked.operator, { id, origin });
    expect(shown.parameters).toMatchObject({ channel: 'EVIL' });
    expect(shown.devices.count).toBe(2);
    expect(JSON.stringify(shown)).not.toContain('"secret"');
  });
});
