import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { readOperation } from './read-operation.ts';

test('an operation has a query, and may have variables and a name', () => {
  expect(readOperation({ query: '{ me }', variables: null })).toEqual({
    query: '{ me }',
    variables: {},
    operationName: undefined,
  });
  expect(readOperation({ query: '{ me }', variables: { a: 1 }, operationName: 'One' })).toEqual({
    query: '{ me }',
    variables: { a: 1 },
    operationName: 'One',
  });
});

test.each([
  [[{ query: '{ me }' }], 'The request is not a GraphQL operation.'],
  [{ query: 1 }, 'The request is not a GraphQL operation: query.'],
  [{ query: '' }, 'The request is not a GraphQL operation: query.'],
  [{ query: '{ me }', variables: '{}' }, 'The request is not a GraphQL operation: variables.'],
  [{ query: '{ me }', batch: [] }, 'The request is not a GraphQL operation.'],
])('%j is rejected and answers %s', (body, message) => {
  const refused = readOperation(body);
  expect(refused).toBeInstanceOf(GraphQLError);
  expect((refused as GraphQLError).message).toBe(message);
});
