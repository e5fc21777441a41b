import { z } from 'zod';
import { code, table } from './markdown.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: JsonSchema | boolean;
}

/** Describes a schema as a Markdown table of its fields; other types as one line. */
export function describeSchema(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'ref',
  }) as JsonSchema;
  if (json.properties === undefined) return typeOf(json);
  const rows = Object.entries(json.properties).map(([name, field]) => [
    code(name),
    typeOf(field),
    json.required?.includes(name) ? 'yes' : defaultOf(field),
  ]);
  return rows.length === 0 ? 'No fields.' : table(['Field', 'Type', 'Required'], rows);
}

function defaultOf(field: JsonSchema): string {
  return field.default === undefined ? 'no' : `no, ${code(JSON.stringify(field.default))}`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.items !== undefined) return `list of (${typeOf(schema.items)})${limitOf(schema)}`;
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`,
    );
    return `{ ${fields.join('; ')} }`;
  }
  if (typeof schema.additionalProperties === 'object') {
    return `map of (${typeOf(schema.additionalProperties)})`;
  }
  const name = typeof schema.type === 'string' ? schema.type : 'any';
  return `${schema.format ?? name}${limitOf(schema)}`;
}

function limitOf(schema: JsonSchema): string {
  const safest = Number.MAX_SAFE_INTEGER;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const least = schema.minimum;
  const parts = [
    least === undefined || Math.abs(least) === safest ? '' : `from ${least}`,
    most === undefined || most === safest ? '' : `at most ${most}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
