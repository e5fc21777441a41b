import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TableItem } from '@deviceportal/server/aws-package';

/** Attributes as DynamoDB stores them. Undefined values are omitted. */
export function toAttributes(item: TableItem): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toAttribute(value)]],
    ),
  );
}

/** @throws TypeError for a value that is not JSON */
function toAttribute(value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (Array.isArray(value)) return { L: value.map(toAttribute) };
  if (typeof value === 'object') return { M: toAttributes(value as TableItem) };
  throw new TypeError(`${typeof value} is not a value of an item`);
}

/** Sets become arrays; binary values become undefined. */
export function fromAttributes(
  attributes: Readonly<Record<string, AttributeValue>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, fromAttribute(value)]),
  );
}

function fromAttribute(value: AttributeValue): unknown {
  const { S, N, BOOL, L, M, SS, NS, NULL } = value;
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (L !== undefined) return L.map(fromAttribute);
  if (M !== undefined) return fromAttributes(M);
  if (SS !== undefined) return SS;
  if (NS !== undefined) return NS.map(Number);
  return NULL === true ? null : undefined;
}
