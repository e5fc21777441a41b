import { sql, type SQL } from 'drizzle-orm';
import { auditTypes } from '@deviceportal/contract/audit-trail';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { e } from './event-rows.ts';

export interface SplitTypes {
  readonly exact: readonly string[];
  /** With a dot at the end. */
  readonly prefixes: readonly string[];
}

/**
 * What happens to an invocation in one transaction is one event: a request that was sent immediately contains the time,
 * and so does an end whose start was reported with it. A search for the one type finds it in the other.
 */
const foldedInto = {
  'command.sent': { type: 'command.requested', field: 'sentAt' },
  'command.started': { type: 'command.finished', field: 'startedAt' },
} as const;

function foldsFor(types: readonly string[]): (typeof foldedInto)[keyof typeof foldedInto][] {
  const isAsked = (type: string): boolean =>
    types.some(
      (asked) => asked === type || (asked.endsWith('.*') && type.startsWith(asked.slice(0, -1))),
    );
  return Object.entries(foldedInto).flatMap(([type, fold]) =>
    isAsked(type) && !isAsked(fold.type) ? [fold] : [],
  );
}

/** Excludes events of another type that do not contain a requested one. */
export const foldedConditions = (types: readonly string[]): SQL[] =>
  foldsFor(types).map(({ type, field }) => sql`(${e.type} <> ${type} or ${e.data} ? ${field})`);

/** @param types of a filter; null without any */
export function splitTypes(types: readonly string[]): SplitTypes | null {
  if (types.length === 0) return null;
  const prefixes = types.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -1));
  const known = auditTypes.filter((type) => prefixes.some((prefix) => type.startsWith(prefix)));
  const named = types.filter((type) => !type.endsWith('.*'));
  return {
    exact: [...new Set([...named, ...known, ...foldsFor(types).map(({ type }) => type)])],
    // Devices define their own types: these are looked up in the index.
    prefixes: prefixes.filter(
      (prefix) => 'device-event.'.startsWith(prefix) || prefix.startsWith('device-event.'),
    ),
  };
}

export function typeCondition({ exact, prefixes }: SplitTypes): SQL {
  const starts = prefixes.map((prefix) => sql`starts_with(${e.type}, ${prefix})`);
  return sql`(${sql.join([isAnyOf(e.type, exact), ...starts], sql` or `)})`;
}
