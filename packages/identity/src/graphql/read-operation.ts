import { GraphQLError } from 'graphql';
import { z } from 'zod';

const operationSchema = z.strictObject({
  query: z.string().min(1),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/** An operation of GraphQL over HTTP; the error is for the client. */
export function readOperation(body: unknown): Operation | GraphQLError {
  const { success, data, error } = operationSchema.safeParse(body);
  if (!success) {
    const path = error.issues[0]?.path.join('.') ?? '';
    return new GraphQLError(
      `The request is not a GraphQL operation${path === '' ? '' : `: ${path}`}.`,
    );
  }
  return {
    query: data.query,
    variables: data.variables ?? {},
    operationName: data.operationName ?? undefined,
  };
}
