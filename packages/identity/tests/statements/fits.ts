import { TypeFlags, type Checker, type Type } from 'typescript/unstable/sync';
import type { DatabaseType } from './read-schema.ts';

type Fit = (checker: Checker, type: Type) => boolean;

const isText: Fit = (checker, type) => checker.isTypeAssignableTo(type, checker.getStringType());
const isNumber: Fit = (checker, type) => checker.isTypeAssignableTo(type, checker.getNumberType());
const isBoolean: Fit = (checker, type) =>
  checker.isTypeAssignableTo(type, checker.getBooleanType());
const isNamed = (type: Type, ...names: readonly string[]): boolean =>
  names.includes(type.getSymbol()?.name ?? '');
const isDate: Fit = (_, type) => isNamed(type, 'Date');
const isBytes: Fit = (_, type) => isNamed(type, 'Buffer', 'Uint8Array');
const either =
  (...kinds: readonly Fit[]): Fit =>
  (checker, type) =>
    kinds.some((fit) => fit(checker, type));

/** What the driver makes of a value. `int8` is missing: it depends on the pool, so a statement casts it. */
const RESULTS: Readonly<Record<string, Fit>> = {
  text: isText,
  varchar: isText,
  bpchar: isText,
  name: isText,
  uuid: isText,
  inet: isText,
  numeric: isText,
  int2: isNumber,
  int4: isNumber,
  float4: isNumber,
  float8: isNumber,
  bool: isBoolean,
  timestamptz: isDate,
  bytea: isBytes,
  json: () => true,
  jsonb: () => true,
};

/** The driver writes JSON only of objects: it would make an array of PostgreSQL of a list. */
const isJson: Fit = (checker, type) => isText(checker, type) || !checker.isArrayLikeType(type);

/** What the driver writes so that the server reads it as this type. */
const PARAMETERS: Readonly<Record<string, Fit>> = {
  ...RESULTS,
  numeric: either(isNumber, isText),
  int8: either(isNumber, isText),
  timestamptz: either(isDate, isText),
  json: isJson,
  jsonb: isJson,
};

export function fitsResult(checker: Checker, type: Type, stored: DatabaseType): boolean {
  return fits(checker, type, stored, RESULTS);
}

export function fitsParameter(checker: Checker, type: Type, stored: DatabaseType): boolean {
  return fits(checker, type, stored, PARAMETERS);
}

function fits(
  checker: Checker,
  declared: Type,
  { name, isArray }: DatabaseType,
  kinds: Readonly<Record<string, Fit>>,
): boolean {
  const type = checker.getNonNullableType(declared) ?? declared;
  if (type.flags & (TypeFlags.Unknown | TypeFlags.Never)) return true;
  const fit = kinds[name];
  if (fit === undefined || type.flags & TypeFlags.Any) return false;
  if (!isArray) return fit(checker, type);
  if (!checker.isArrayLikeType(type) || !type.isTypeReference()) return false;
  return checker.getTypeArguments(type).every((element) => fit(checker, element));
}
