import { z } from 'zod';
import type { FactKind } from './refusal.ts';
import { refusals, type RefusalReason } from './refusals.ts';

type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** Longer than any name; lists of names and texts that the caller sent are cut by who makes them. */
const LONGEST_FACT = 4_096;
const text = z.string().max(LONGEST_FACT);

/** What a fact of this kind can hold, at run time. */
export function factSchema(kind: FactKind): z.ZodType<string | number> {
  if (typeof kind !== 'string') return z.enum(kind as readonly [string, ...string[]]);
  if (kind === 'count') return z.int().nonnegative();
  return kind === 'time' ? z.iso.datetime() : text;
}

const schemas: ReadonlyMap<string, ReadonlyMap<string, z.ZodType>> = new Map(
  Object.entries(refusals).map(([reason, { facts }]) => [
    reason,
    new Map(
      Object.entries<FactKind>(facts).map(([name, kind]) => [
        name.replace(/\?$/, ''),
        factSchema(kind),
      ]),
    ),
  ]),
);

/**
 * The facts of an error as they may leave the server: with a reason those that it declares, and each only as it is declared.
 * What stands in an error by mistake, as a row that was spread into it, tells nothing.
 */
export function declaredFacts(reason: RefusalReason | null, facts: Facts): Facts {
  if (reason === null) return facts;
  const declared = schemas.get(reason);
  return Object.fromEntries(
    Object.entries(facts).filter(([name, value]) => declared?.get(name)?.safeParse(value).success),
  );
}
