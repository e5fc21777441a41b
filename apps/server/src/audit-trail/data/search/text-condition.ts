import { sql, type SQL } from 'drizzle-orm';
import { isEverywhere } from '../../../devices/is-everywhere.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { likeLiteral } from '../../../platform/database/like-literal.ts';
import { nameFields } from '../../audit-names.ts';
import type { AuditSight } from '../../audit-sight.ts';
import { d, e } from './event-rows.ts';

/** How the people of a filter appear in sealed fields: see `findSealedMatches`. */
export interface SealedMatches {
  /** Users whose name contains the text. */
  readonly userIds: readonly string[];
  /** Their names, sealed. */
  readonly names: readonly string[];
  /** The address, sealed. */
  readonly addresses: readonly string[];
}

export const noMatches: SealedMatches = { userIds: [], names: [], addresses: [] };

export function textCondition(text: string, sight: AuditSight, sealed: SealedMatches): SQL {
  const pattern = `%${likeLiteral(text)}%`;
  const places = [
    sql`${e.type} ilike ${pattern}`,
    sql`${searchedData(sight)}::text ilike ${pattern}`,
    sql`${d.name} ilike ${pattern}`,
    sql`${d.serialNumber} ilike ${pattern}`,
    sql`${e.requestId} ilike ${pattern}`,
    sql`(${e.actorKind} <> 'user' and ${e.actorName} ilike ${pattern})`,
    ...(sight.seesPeople ? namesLike(pattern, sealed) : []),
  ];
  return sql`(${sql.join(places, sql` or `)})`;
}

/** People by name: sealed, and in plain text in events from before personal keys existed. */
function namesLike(pattern: string, { userIds, names }: SealedMatches): SQL[] {
  const list = sql.param([...names]);
  return [
    sql`(${e.actorName} ilike ${pattern} and not starts_with(${e.actorName}, 'sealed:'))`,
    sql`(${e.actorKind} = 'user' and ${isAnyOf(e.actorId, userIds)})`,
    // Users without an ID, such as those whose sign-in was refused.
    sql`(${e.actorKind} = 'user' and ${isAnyOf(e.actorName, names)})`,
    ...nameFields.map(
      (field) => sql`(${e.data} ->> ${field} = any(${list}::text[])
        or (${e.data} ->> ${field} ilike ${pattern} and not starts_with(${e.data} ->> ${field}, 'sealed:')))`,
    ),
  ];
}

/**
 * Masked values, and counts that include devices out of scope, are not searched: repeated searches could reveal them.
 */
function searchedData({ scopes }: AuditSight): SQL {
  const hidden = [...nameFields, ...(scopes.some(isEverywhere) ? [] : ['targets'])];
  return sql`(${e.data} - ${sql.param(hidden)}::text[])`;
}
