import fc from 'fast-check';
import { z } from 'zod';
import { consequences, plainPermissions } from '@deviceportal/contract/permissions';

/** A piece of JSON Schema, as zod writes it. */
interface Piece {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Piece>>;
  readonly required?: readonly string[];
  readonly items?: Piece;
  readonly minItems?: number;
  readonly additionalProperties?: Piece | boolean;
  readonly propertyNames?: Piece;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Piece[];
  readonly oneOf?: readonly Piece[];
  readonly allOf?: readonly Piece[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What is given for a property of this name wherever it stands; undefined leaves it to the schema. */
export type Given = (name: string) => readonly unknown[] | undefined;

const nothingGiven: Given = () => undefined;
const permissions = [...plainPermissions, ...consequences.map((each) => `commands:run:@${each}`)];
const ROUNDS = 30;
const TRIES_EACH = 10;
/** Pieces and texts are made once: making them takes a hundred times as long as using them. */
const pieces = new WeakMap<z.ZodType, Piece>();
const textsByPattern = new Map<string, fc.Arbitrary<string>>();

/**
 * An input that the schema takes, made of nothing but the schema: the same every time. Undefined where none was found:
 * then rules stand in it that no schema can say.
 */
export function generateInput(
  schema: z.ZodType,
  given: Given = nothingGiven,
  piece: Piece = pieceOf(schema),
): unknown {
  const arbitrary = arbitraryOf(piece, given);
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const samples = fc.sample(arbitrary, { numRuns: TRIES_EACH, seed });
    const fitting = samples.find((sample) => schema.safeParse(sample).success);
    if (fitting !== undefined) return fitting;
  }
  return undefined;
}

function arbitraryOf(piece: Piece, given: Given): fc.Arbitrary<unknown> {
  const variants = piece.anyOf ?? piece.oneOf;
  if (variants !== undefined)
    return fc.oneof(...variants.map((variant) => arbitraryOf(variant, given)));
  if (piece.const !== undefined) return fc.constant(piece.const);
  if (piece.enum !== undefined) return fc.constantFrom(...piece.enum);
  switch (piece.type) {
    case 'object':
      return objectOf(piece, given);
    case 'array':
      return listOf(piece, given);
    case 'string':
      return textOf(piece);
    case 'integer':
      return fc.integer(rangeOf(piece));
    case 'number':
      return fc.double({ ...rangeOf(piece), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.constant(null);
  }
}

function objectOf(piece: Piece, given: Given): fc.Arbitrary<unknown> {
  const fields = Object.entries(piece.properties ?? {}).map(
    ([name, field]) => [name, fieldOf(name, field, given)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(piece.required ?? [])] });
}

/** The same without anything that may be left out, but for what is given. */
export function generateBareInput(schema: z.ZodType, given: Given): unknown {
  return generateInput(schema, given, withoutOptions(pieceOf(schema), given));
}

function pieceOf(schema: z.ZodType): Piece {
  const known = pieces.get(schema);
  if (known !== undefined) return known;
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Piece;
  pieces.set(schema, made);
  return made;
}

function withoutOptions(piece: Piece, given: Given): Piece {
  if (piece.properties === undefined) return piece;
  const isKept = (name: string): boolean =>
    piece.required?.includes(name) === true || given(name) !== undefined;
  const kept = Object.entries(piece.properties).filter(([name]) => isKept(name));
  return { ...piece, properties: Object.fromEntries(kept), required: kept.map(([name]) => name) };
}

function fieldOf(name: string, piece: Piece, given: Given): fc.Arbitrary<unknown> {
  const values = given(name);
  if (values !== undefined)
    return piece.type === 'array' ? fc.constant([...values]) : fc.constantFrom(...values);
  if (name === 'permission') return fc.constantFrom(...permissions);
  if (name === 'permissions') return fc.subarray(permissions);
  return arbitraryOf(piece, given);
}

function listOf({ items, minItems = 0 }: Piece, given: Given): fc.Arbitrary<unknown> {
  if (items === undefined) return fc.constant([]);
  return fc.array(arbitraryOf(items, given), { minLength: minItems, maxLength: minItems + 2 });
}

function textOf({ format, pattern, minLength = 0, maxLength }: Piece): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  if (format === 'country') return fc.constantFrom('DE', 'FR', 'PL');
  if (format === 'time-zone') return fc.constantFrom('UTC', 'Europe/Berlin');
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (pattern !== undefined) return textMatching(pattern);
  return fc.string({
    unit: fc.constantFrom(...'abcdefgh'),
    minLength,
    maxLength: Math.min(maxLength ?? 24, minLength + 24),
  });
}

function textMatching(pattern: string): fc.Arbitrary<string> {
  const known = textsByPattern.get(pattern);
  if (known !== undefined) return known;
  const made = fc.stringMatching(new RegExp(pattern));
  textsByPattern.set(pattern, made);
  return made;
}

const rangeOf = ({ minimum, maximum }: Piece) => ({
  ...(minimum !== undefined && minimum > -1e9 && { min: minimum }),
  ...(maximum !== undefined && maximum < 1e9 && { max: maximum }),
});
