import { findingRules } from '@deviceportal/contract/finding-rules';
import type { Database } from '../../apps/server/src/platform/database/database.ts';

/** Findings of a fleet with problems: a tenth without contact, some outdated, few others. */
export async function openFindings(database: Database): Promise<void> {
  const shares = [0.0005, 0.004, 0.001, 0.1, 0.002, 0.005, 0.003, 0.02, 0.08];
  for (const [at, rule] of findingRules.entries()) {
    await database.pool.query(
      `insert into finding (rule, device_id, severity, facts, opened_at, serial_rank, name)
       select $1, device_id, case when hashint4(hashtext(device_id::text)) % 3 = 0 then 'error' else 'warning' end, '{}', now(),
         serial_rank, name
       from device_status
       where ($1 <> 'unusual-silence' or connectivity = 'offline')
         and (hashtext(device_id::text || $1)::bigint & 2147483647) / 2147483647.0 < $2
       on conflict do nothing`,
      [rule, rule === 'unusual-silence' ? (shares[at] ?? 0) * 2.5 : shares[at]],
    );
  }
  await database.pool.query('vacuum (analyze) finding');
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*)::int as n from finding',
  );
  console.log(`${(rows[0]?.n ?? 0).toLocaleString('en')} open findings`);
}
