import { sql } from 'drizzle-orm';
import { isFindingRule } from '@deviceportal/contract/finding-rules';
import { fromRows, onDevice, source, type Predicate } from './device-predicate.ts';

/** Any rule at all. */
const ANY = 'any';

export function isFinding(text: string): boolean {
  return text === ANY || isFindingRule(text);
}

/** Devices about which a rule has found something, as the record has it. */
export function hasFinding(rule: string): Predicate {
  if (rule === ANY) {
    const anyOfThem = sql`(select distinct device_id from finding) b`;
    return onDevice(sql`exists (select from finding f where f.device_id = d.id)`, [
      source([fromRows(anyOfThem, sql`true`)]),
    ]);
  }
  return onDevice(
    sql`exists (select from finding f where f.rule = ${rule} and f.device_id = d.id)`,
    [source([fromRows(sql`finding b`, sql`b.rule = ${rule}`)])],
  );
}
