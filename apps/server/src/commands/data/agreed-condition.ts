import { sql, type SQL } from 'drizzle-orm';
import type { RunTarget } from '../target/run-target.ts';
import type { TargetAgreement } from '../target/target-agreement.ts';
import type { WholeTarget } from './target-queries.ts';

/** Whether the devices of a whole target equal those agreed to. */
export function agreedCondition(
  agreement: TargetAgreement,
  target: RunTarget,
  whole: WholeTarget,
): SQL {
  if (agreement.kind === 'planned') return sql`true`;
  if (agreement.kind === 'at-most') return sql`${whole.count} <= ${agreement.devices}::int`;
  const { sha256, count } = agreement;
  const isSet = sha256 === null ? sql`true` : sql`${whole.sha256} = ${sha256}::text`;
  if (sha256 !== null && count !== null) return sql`${isSet} and ${whole.count} = ${count}::int`;
  return target.kind === 'filter' ? sql`false` : sql`${isSet} and ${whole.count} <= 1`;
}
