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

/** @param deviceIds the devices whose name or serial number contains the text; null to look at each device */
export function textCondition(
  text: string,
  sight: AuditSight,
  {
    sealed,
    deviceIds,
  }: { readonly sealed: SealedMatches; readonly deviceIds: readonly string[] | null },
): SQL {
  const pattern = `%${likeLiteral(text)}%`;
  const named =
    deviceIds === null
      ? [sql`${d.name} ilike ${pattern}`, sql`${d.serialNumber} ilike ${pattern}`]
      : deviceIds.length === 0
        ? []
        : [isAnyOf(e.deviceId, deviceIds)];
  return anyOf([
    inFields(text, pattern, sight),
    ...named,
    ...(sight.seesPeople ? sealedNames(sealed) : []),
  ]);
}

/** In a field of the event itself. All fields are searched together first: most events do not contain the text. */
function inFields(text: string, pattern: string, sight: AuditSight): SQL {
  const fields = anyOf([
    sql`${e.type} ilike ${pattern}`,
    dataLike(pattern, sight),
    sql`${e.requestId} ilike ${pattern}`,
    sight.seesPeople
      ? clearLike(sql`${e.actorName}`, pattern)
      : sql`(${e.actorKind} <> 'user' and ${e.actorName} ilike ${pattern})`,
  ]);
  if (!sameInJson.test(text)) return fields;
  const together = sql`lower(${e.type} || ' ' || ${e.data}::text || ' ' || coalesce(${e.requestId}, '') || ' ' || ${e.actorName})`;
  return sql`(${together} like lower(${pattern}) and ${fields})`;
}

/** Shown as they are in the text of JSON, so that what a field contains, the whole contains, too. */
const sameInJson = /^[^"\\\p{Cc}]*$/u;

function dataLike(pattern: string, sight: AuditSight): SQL {
  const shown = [
    sql`${searchedData(sight)}::text ilike ${pattern}`,
    ...(sight.seesPeople
      ? nameFields.map((field) => clearLike(sql`${e.data} ->> ${field}`, pattern))
      : []),
  ];
  return anyOf(shown);
}

const anyOf = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` or `)})`;

/** Events from before personal keys existed contain names in plain text. */
const clearLike = (name: SQL, pattern: string): SQL =>
  sql`(${name} ilike ${pattern} and not starts_with(${name}, 'sealed:'))`;

function sealedNames({ userIds, names }: SealedMatches): SQL[] {
  const list = sql.param([...names]);
  return [
    ...(userIds.length === 0
      ? []
      : [sql`(${e.actorKind} = 'user' and ${isAnyOf(e.actorId, userIds)})`]),
    ...(names.length === 0
      ? []
      : [
          // Users without an ID, such as those whose sign-in was refused.
          sql`(${e.actorKind} = 'user' and ${isAnyOf(e.actorName, names)})`,
          ...nameFields.map((field) => sql`${e.data} ->> ${field} = any(${list}::text[])`),
        ]),
  ];
}

/**
 * Masked values, and counts that include devices out of scope, are not searched: repeated searches could reveal them.
 */
function searchedData({ scopes }: AuditSight): SQL {
  const hidden = [...nameFields, ...(scopes.some(isEverywhere) ? [] : ['targets'])];
  return sql`(${e.data} - ${sql.param(hidden)}::text[])`;
}
