import {
  GraphQLError,
  buildSchema,
  execute,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { requireUserOf } from '../provider/wire/require-user.ts';
import type { GraphqlCall } from './graphql-call.ts';
import { isTooMuchToParse } from './is-too-much-to-parse.ts';
import { limitQuery } from './limit-query.ts';
import { readOperation, type Operation } from './read-operation.ts';
import { resolvers } from './resolvers.ts';
import { toWireResult } from './to-wire-result.ts';
import { typeDefinitions } from './type-definitions.ts';

/** @param body the operation, as JSON has it */
export type AnswerGraphql = (body: unknown, caller: Caller) => Promise<string>;

/** The schema stays unspoken, and operations stay small. */
const rules = [...specifiedRules, limitQuery];

/** Answers operations of the contract's schema. */
export function createAnswerGraphql(context: ProviderContext): AnswerGraphql {
  const schema = createSchema();
  return async (body, caller) => {
    const call: GraphqlCall = {
      provider: context,
      caller,
      requireUser: () => requireUserOf(context, caller),
    };
    const result = await answer(schema, body, call);
    return JSON.stringify(toWireResult(result, caller.language, context));
  };
}

async function answer(
  schema: GraphQLSchema,
  body: unknown,
  call: GraphqlCall,
): Promise<ExecutionResult> {
  const operation = readOperation(body);
  if (operation instanceof GraphQLError) return { errors: [operation] };
  const document = readDocument(operation);
  if (document instanceof GraphQLError) return { errors: [document] };
  const errors = validate(schema, document, rules);
  if (errors.length > 0) return { errors };
  return execute({
    schema,
    document,
    contextValue: call,
    variableValues: operation.variables,
    operationName: operation.operationName,
  });
}

function readDocument({ query }: Operation): DocumentNode | GraphQLError {
  if (isTooMuchToParse(query)) return new GraphQLError('The query is too large.');
  try {
    return parse(query, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

/** The types of the contract, with the resolver of each field that has one. */
function createSchema(): GraphQLSchema {
  const schema = buildSchema(typeDefinitions);
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName);
    if (type === undefined || !('getFields' in type)) throw new TypeError(`no type ${typeName}`);
    const declared = type.getFields();
    for (const [name, resolve] of Object.entries(fields)) {
      const field = declared[name];
      if (field === undefined) throw new TypeError(`no field ${name} of ${typeName}`);
      Object.assign(field, { resolve });
    }
  }
  return schema;
}
