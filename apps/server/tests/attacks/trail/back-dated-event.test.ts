import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { verifyAuditTrail } from '../../../src/audit-trail/verification/verify-audit-trail.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { onlyHot, sealAll, setAuditClock } from '../../support/audit/audit-signer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { tamperWithTrail } from '../../support/audit/tamper-with-trail.ts';

const YESTERDAY = new Date(Date.now() - 86_400_000);
let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
  await record();
  await sealAll(test);
});
afterEach(() => test[Symbol.asyncDispose]());

const record = () =>
  inTransaction(test.database, (tx) =>
    recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
  );
const verify = () => verifyAuditTrail(onlyHot(test));
const insert = (idAt: Date, at: string) =>
  test.database.pool.query(
    `insert into audit_event (id, at, type, actor_kind, actor_name)
     values ($1, ${at}, 'device.retired', 'user', 'somebody else')`,
    [newId(idAt.getTime())],
  );
/** As the owner of the database, bypassing its triggers. */
const insertAround = async (at: Date): Promise<string> => {
  const id = newId(at.getTime());
  await tamperWithTrail(
    test,
    `with written as (
       insert into audit_event (id, at, type, actor_kind, actor_name)
       values ('${id}', '${at.toISOString()}', 'device.retired', 'user', 'somebody else') returning id)
     insert into audit_unsealed (event_id) select id from written`,
  );
  return id;
};
const typesOfTrail = async (): Promise<string[]> => {
  const { rows } = await test.database.pool.query<{ type: string }>(
    'select type from audit_event order by at',
  );
  return rows.map(({ type }) => type);
};

describe('an event inserted with a past time', () => {
  it('is rejected by the database, which permits only its own time', async () => {
    const refusal = 'the database sets the time of an audit event';
    await expect(insert(YESTERDAY, `'${YESTERDAY.toISOString()}'`)).rejects.toThrow(refusal);
    await expect(insert(new Date(), `now() - interval '1 second'`)).rejects.toThrow(refusal);
    await expect(insert(new Date(), `now() + interval '1 second'`)).rejects.toThrow(refusal);
    await expect(insert(YESTERDAY, 'default')).rejects.toThrow(refusal);
    await expect(insert(new Date(), 'default')).resolves.toBeDefined();
  });

  it('is not sealed if the owner of the database inserted it, and the trail reports it', async () => {
    const id = await insertAround(YESTERDAY);
    await record();
    await sealAll(test);
    expect(await typesOfTrail()).toContain('audit-trail.events-refused');
    const { rows } = await test.database.pool.query<{ ids: string[] }>(
      'select array_agg(id) as ids from audit_block, unnest(event_ids) as id',
    );
    expect(rows[0]?.ids).not.toContain(id);
    expect(await verify()).toMatchObject({ verified: 3, broken: null, strays: 0, refused: 1 });
  });

  it('cannot be moved further back in many small steps', async () => {
    for (const minutes of [14, 28, 42, 56]) {
      await insertAround(new Date(Date.now() - minutes * 60_000));
      await sealAll(test);
    }
    expect(await verify()).toMatchObject({ broken: null, strays: 0, refused: 3 });
  });

  it('cannot be inserted after a last event that was moved back', async () => {
    await tamperWithTrail(test, `update audit_event set at = at - interval '2 hours'`);
    await insertAround(new Date(Date.now() - 3_600_000));
    await expect(sealAll(test)).rejects.toMatchObject({ reason: 'resealed' });
  });

  it('cannot be justified by the recorded rejection of an event with the right time', async () => {
    await record();
    await test.database.pool.query(`
      select refuse_audit_events(jsonb_agg(jsonb_build_object('id', id, 'at', at::text, 'type', type,
        'digest', repeat('0', 64))), '{}')
      from audit_event e where exists (select from audit_unsealed q where q.event_id = e.id)`);
    await sealAll(test);
    expect(await verify()).toMatchObject({ refused: 0, strays: 1 });
  });
});

it('delayed reports have their own time in addition to the recorded one', async () => {
  await inTransaction(test.database, (tx) =>
    recordAudit(tx, [
      { type: 'device-event.disk-full', actor: systemActor, occurredAt: YESTERDAY },
    ]),
  );
  await sealAll(test);
  const { rows } = await test.database.pool.query<{ late: boolean; occurred: string }>(
    `select at > now() - interval '1 minute' as late, data->>'occurredAt' as occurred
     from audit_event where type = 'device-event.disk-full'`,
  );
  expect(rows).toEqual([{ late: true, occurred: YESTERDAY.toISOString() }]);
  expect(await verify()).toMatchObject({ verified: 2, broken: null });
});

it('no event is rejected if the clocks of the database and the server differ', async () => {
  await setAuditClock(test, YESTERDAY);
  await record();
  await expect(sealAll(test)).rejects.toMatchObject({ reason: 'clock' });
});
