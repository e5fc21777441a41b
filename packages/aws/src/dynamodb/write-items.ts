import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type {
  TableFeed,
  TableLayout,
  TableWrite,
  WriteResult,
} from '@deviceportal/server/aws-package';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromAttributes, toAttributes } from './attribute-values.ts';

/** Concurrent conditional writes, and the items of one BatchWriteItem call (DynamoDB API Reference). */
const AT_ONCE = 25;
const RETRY_MS = 100;
const RETRIES = 6;

interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly layout: TableLayout;
}

/** Writes items: each under its condition, or in batches if the items of the table never change. */
export function createWriter(table: Table): TableFeed['publish'] {
  const { growing } = table.layout;
  return async (writes) => {
    const results: WriteResult[] = [];
    for (let from = 0; from < writes.length; from += AT_ONCE) {
      const some = writes.slice(from, from + AT_ONCE);
      results.push(
        ...(growing === null
          ? await writeBatch(table, some)
          : await Promise.all(some.map((write) => writeNewer(table, growing, write)))),
      );
    }
    return results;
  };
}

async function writeNewer(
  { client, name, layout }: Table,
  growing: string,
  { key, item }: TableWrite,
): Promise<WriteResult> {
  try {
    if (item === null) {
      await client.send(new DeleteItemCommand({ TableName: name, Key: toAttributes(key) }));
      return { kind: 'written' };
    }
    const { [growing]: growth } = toAttributes(item);
    await client.send(
      new PutItemCommand({
        TableName: name,
        Item: toAttributes({ ...item, ...key }),
        ConditionExpression:
          'attribute_not_exists(#key) OR attribute_not_exists(#growing) OR #growing < :growth',
        ExpressionAttributeNames: { '#key': layout.keys[0], '#growing': growing },
        ExpressionAttributeValues: { ':growth': growth ?? { NULL: true } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { kind: 'written' };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return { kind: 'conflict', item: fromAttributes(error.Item ?? {}) };
    }
    return refusedBy(error);
  }
}

/** Items that a full table or partition did not take are repeated. */
async function writeBatch(table: Table, writes: readonly TableWrite[]): Promise<WriteResult[]> {
  const { client, name } = table;
  let requests = writes.map(({ key, item }): WriteRequest =>
    item === null
      ? { DeleteRequest: { Key: toAttributes(key) } }
      : { PutRequest: { Item: toAttributes({ ...item, ...key }) } },
  );
  try {
    for (let retry = 0; ; retry += 1) {
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [name]: requests } }),
      );
      requests = UnprocessedItems?.[name] ?? [];
      if (requests.length === 0) return writes.map(() => ({ kind: 'written' }));
      if (retry === RETRIES) throw new Error(`the table ${name} does not accept more writes`);
      await sleep(RETRY_MS * 2 ** retry);
    }
  } catch (error) {
    // One item that the table cannot store rejects all of its batch.
    if (writes.length > 1 && isValidationError(error)) {
      const results: WriteResult[] = [];
      for (const write of writes) results.push(...(await writeBatch(table, [write])));
      return results;
    }
    return [refusedBy(error)];
  }
}

const isValidationError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ValidationException';

/** @throws the error, unless it is about the item */
function refusedBy(error: unknown): WriteResult {
  if (isValidationError(error)) return { kind: 'refused', reason: error.message };
  throw error;
}
