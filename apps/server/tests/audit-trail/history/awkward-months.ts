import { newId } from '@deviceportal/contract/ids';
import { sealAll } from '../../support/audit/audit-signer.ts';
import type { TestDatabase } from '../../support/database/create-test-database.ts';
import { ensureAuditMonths } from '../../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { act, type SeededUser } from '../../personal-data/seeded-people.ts';

export const MONTHS = ['2024-01', '2024-02', '2024-03', '2024-04', '2024-05'] as const;

/** Texts that SQL, CSV, JSON, patterns, or an encoding could change. */
export const awkwardTexts = [
  '',
  ' ',
  'null',
  String.raw`\N`,
  `it's "quoted", 100 %_`,
  `' or '1'='1`,
  `x'; drop table audit_trail; --`,
  'a "b",\r\nc\td',
  '设备 é é 🛰️ ﷽',
  '?',
  String.raw`\u0041 \\ \'`,
] as const;

const types = [
  'device.created',
  'device.updated',
  'device-event.restarted',
  'command.requested',
  'audit-trail.exported',
] as const;
/** Of each month: events of one statement have the same time. */
const TURNS = 8;
const EVENTS_A_TURN = 10;
const LARGE_CHARACTERS = 300_000;

interface Subjects {
  readonly devices: readonly string[];
  readonly users: readonly SeededUser[];
}

/** Events of a month: null, empty, and awkward texts, microseconds, equal times, large JSON, and people. */
export async function recordMonth(
  test: TestDatabase,
  month: string,
  { devices, users }: Subjects,
): Promise<void> {
  await ensureAuditMonths(test.database.orm, new Date(`${month}-03T00:00:00Z`));
  for (let turn = 0; turn < TURNS; turn += 1) {
    const second = String(turn * 7).padStart(2, '0');
    const micros = String(turn * 123_457).padStart(6, '0');
    const at = turn === TURNS - 1 ? lastOf(month) : `${month}-03T00:00:${second}.${micros}Z`;
    await setClock(test, at);
    for (let index = 0; index < EVENTS_A_TURN; index += 1)
      await record(test, { at, devices, number: turn * EVENTS_A_TURN + index });
    for (const user of users) await act(test.database, user, { username: user.username, turn });
  }
  await sealAll(test, 500, () => new Date(lastOf(month)));
}

async function record(
  { database }: TestDatabase,
  { at, devices, number }: { at: string; devices: readonly string[]; number: number },
): Promise<void> {
  const text = awkwardTexts[number % awkwardTexts.length];
  const kind = (['system', 'device', 'user'] as const)[number % 3];
  const data = {
    number,
    note: text,
    [text ?? '']: [null, 1.5, { deep: text }],
    ...(number % 50 === 7 && { large: '"\\é%'.repeat(LARGE_CHARACTERS / 4) }),
  };
  await database.pool.query(
    `insert into audit_event
       (id, type, device_id, actor_kind, actor_id, actor_name, actor_address, request_id, run_id, data)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      newId(Date.parse(at)),
      types[number % types.length],
      number % 4 === 0 ? null : (devices[number % devices.length] ?? null),
      kind,
      number % 7 === 0 ? null : `actor-${number % 5}`,
      text,
      number % 6 === 0 ? null : text,
      text === ' ' ? null : text,
      number % 9 === 0 ? devices[0] : null,
      JSON.stringify(data),
    ],
  );
}

async function setClock({ owner }: TestDatabase, at: string): Promise<void> {
  await owner.pool.query(
    `create or replace function audit_clock() returns timestamptz language sql stable as $$ select timestamptz '${at}' $$`,
  );
}

/** The last microsecond of a month. */
function lastOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const end = new Date(Date.UTC(year, number, 1) - 1);
  return `${new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)}${end.toISOString().slice(10, -1)}999Z`;
}
