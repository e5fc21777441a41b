import { z } from 'zod';
import {
  conditionOperators,
  type Condition,
  type ConditionOperator,
  type ElementPatterns,
  type Policy,
  type Statement,
} from './policy-document.ts';

/** The text is not a valid policy. The message names the element and can be shown to the caller. */
export class MalformedPolicyError extends Error {
  override readonly name = 'MalformedPolicyError';
}

const listOf = <T>(item: z.ZodType<T>) =>
  z
    .union([item, z.array(item).min(1)])
    .transform((value): readonly T[] => (Array.isArray(value) ? value : [value]));

const actions = listOf(z.string().regex(/^(\*|[a-z0-9-]+:[\w*?./-]+)$/i, 'must be service:Action'));
const resources = listOf(z.string().regex(/^(\*|arn:[^\p{Cc}]*)$/u, 'must be * or an ARN'));
const principals = z.union([
  z.literal('*').transform(() => ['*']),
  z
    .strictObject({
      AWS: listOf(z.string().min(1)).optional(),
      Federated: listOf(z.string().min(1)).optional(),
    })
    .transform(({ AWS = [], Federated = [] }) => [...AWS, ...Federated]),
]);
const conditionValues = listOf(
  z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value)),
);
const effect = z.enum(['Allow', 'Deny']);
const conditionBlock = z.record(z.string(), z.record(z.string().min(1), conditionValues));
const actionElements = { Action: actions.optional(), NotAction: actions.optional() };

const identityStatement = z.strictObject({
  Sid: z.string().max(256).optional(),
  Effect: effect,
  ...actionElements,
  Resource: resources.optional(),
  NotResource: resources.optional(),
  Condition: conditionBlock.optional(),
});

const trustStatement = z.strictObject({
  Sid: z.string().max(256).optional(),
  Effect: effect,
  ...actionElements,
  Principal: principals,
  Condition: conditionBlock.optional(),
});

const documentOf = <T>(statement: z.ZodType<T>) =>
  z.strictObject({
    Version: z.enum(['2012-10-17', '2008-10-17']).default('2008-10-17'),
    Id: z.string().optional(),
    Statement: listOf(statement),
  });

const identityDocument = documentOf(identityStatement);
const trustDocument = documentOf(trustStatement);

/**
 * Reads what an identity, a role or a session may do.
 * @throws MalformedPolicyError
 */
export function parsePolicy(document: unknown): Policy {
  const { Version, Statement } = read(identityDocument, document);
  return {
    hasVariables: Version === '2012-10-17',
    statements: Statement.map((statement) => ({
      ...sharedOf(statement),
      resources: patternsOf('Resource', statement.Resource, statement.NotResource),
      principals: undefined,
    })),
  };
}

/**
 * Reads who may assume a role.
 * @throws MalformedPolicyError
 */
export function parseTrustPolicy(document: unknown): Policy {
  const { Version, Statement } = read(trustDocument, document);
  return {
    hasVariables: Version === '2012-10-17',
    statements: Statement.map((statement) => ({
      ...sharedOf(statement),
      resources: undefined,
      principals: statement.Principal,
    })),
  };
}

function read<T>(schema: z.ZodType<T>, document: unknown): T {
  const parsed = schema.safeParse(typeof document === 'string' ? readJson(document) : document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'policy';
  throw new MalformedPolicyError(`${place}: ${issue?.message ?? 'is malformed'}`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedPolicyError('policy: is not valid JSON');
  }
}

type RawStatement = Pick<
  z.output<typeof identityStatement>,
  'Sid' | 'Effect' | 'Action' | 'NotAction' | 'Condition'
>;

function sharedOf(raw: RawStatement): Omit<Statement, 'resources' | 'principals'> {
  return {
    sid: raw.Sid,
    effect: raw.Effect,
    actions: patternsOf('Action', raw.Action, raw.NotAction),
    conditions: Object.entries(raw.Condition ?? {}).flatMap(([name, keys]) =>
      Object.entries(keys).map(([key, values]) => conditionOf(name, key, values)),
    ),
  };
}

function patternsOf(
  name: 'Action' | 'Resource',
  plain: readonly string[] | undefined,
  negated: readonly string[] | undefined,
): ElementPatterns {
  if ((plain === undefined) === (negated === undefined)) {
    throw new MalformedPolicyError(`Statement: requires either ${name} or Not${name}`);
  }
  return { isNegated: plain === undefined, patterns: plain ?? negated ?? [] };
}

/** `ForAnyValue:StringLikeIfExists` and its parts. */
const OPERATOR = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/;

function conditionOf(name: string, key: string, values: readonly string[]): Condition {
  const [, quantifier, operator, ifExists] = OPERATOR.exec(name) ?? [];
  const isIfExists = ifExists !== undefined;
  if (!isOperator(operator) || (operator === 'Null' && isIfExists)) {
    throw new MalformedPolicyError(`Condition: unknown operator ${name}`);
  }
  return {
    operator,
    key: key.toLowerCase(),
    values,
    isIfExists,
    quantifier: quantifier as Condition['quantifier'],
  };
}

function isOperator(name: string | undefined): name is ConditionOperator {
  return conditionOperators.some((operator) => operator === name);
}
