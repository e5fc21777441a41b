import { operation, type GraphqlOperation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { localError } from '../core/report.ts';
import { requireUserId } from '../profile/require-user-id.ts';
import { toValueList, toValueMap } from './to-value-map.ts';
import type { UserDefinedValue, UserValue } from './user-value.ts';

const TARGET = { targetType: 'UDFTargetType!', targetId: 'String!' };
const VALUE = 'key dataType value label';
const LIST = operation('query', 'udv', TARGET, VALUE);
const SET = operation('mutation', 'setUdv', { ...TARGET, key: 'String!', value: 'String!' }, VALUE);
const SET_ALL = operation(
  'mutation',
  'setUdvBatch',
  { ...TARGET, udvList: '[UserDefinedDataInput!]' },
  VALUE,
);
const REMOVE = operation('mutation', 'removeUdv', { ...TARGET, key: 'String!' }, VALUE);

/** Lists the current user's custom values, typed. */
export async function listUserValues(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<readonly UserDefinedValue[]> {
  return toValueList(await call(client, LIST, {}, signal));
}

/** The current user's custom values by name. */
export async function getUserValues(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<Readonly<Record<string, UserValue>>> {
  return toValueMap(await call(client, LIST, {}, signal));
}

/** Sets a custom value of the current user. */
export async function setUserValue(
  client: IdentityClient,
  { key, value }: { readonly key: string; readonly value: unknown },
  { signal }: CallOptions = {},
): Promise<readonly UserDefinedValue[]> {
  return toValueList(await call(client, SET, { key, value: JSON.stringify(value) }, signal));
}

/** Sets several custom values of the current user in one request. Throws if there are none. */
export async function setUserValues(
  client: IdentityClient,
  values: Readonly<Record<string, unknown>>,
  { signal }: CallOptions = {},
): Promise<readonly UserDefinedValue[]> {
  const udvList = Object.entries(values).map(([key, value]) => ({
    key,
    value: JSON.stringify(value),
  }));
  if (udvList.length === 0) {
    const sentence = { zh: 'empty udf value list', en: 'empty udf value list' };
    throw localError(client, 'INVALID_ARGUMENT', sentence);
  }
  return toValueList(await call(client, SET_ALL, { udvList }, signal));
}

/** Removes a custom value of the current user. */
export async function removeUserValue(
  client: IdentityClient,
  key: string,
  { signal }: CallOptions = {},
): Promise<readonly UserDefinedValue[]> {
  return toValueList(await call(client, REMOVE, { key }, signal));
}

function call(
  client: IdentityClient,
  chosen: GraphqlOperation,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const target = { targetType: 'USER', targetId: requireUserId(client) };
  return client.graphql({ operation: chosen, variables: { ...target, ...variables }, signal });
}
