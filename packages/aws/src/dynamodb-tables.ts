import { DynamoDBClient, ScanCommand, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBStreamsClient,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type {
  AwsPackage,
  FeedPage,
  TableFeed,
  TableLayout,
} from '@deviceportal/server/aws-package';
import { clientOptions } from './client-options.ts';
import { fromAttributes, toAttributes } from './dynamodb/attribute-values.ts';
import { describeTable } from './dynamodb/describe-table.ts';
import { ChangesLostError, readChanges } from './dynamodb/read-changes.ts';
import { ShardList } from './dynamodb/shard-list.ts';
import { ShardReader } from './dynamodb/shard-reader.ts';
import { fromCursor, toCursor, type StreamPosition } from './dynamodb/stream-position.ts';
import { createWriter } from './dynamodb/write-items.ts';

const ITEMS_AT_ONCE = 1_000;

/** A call to an endpoint that does not answer must not delay the stop of a server. */
const requestHandler = { connectionTimeout: 5_000, requestTimeout: 15_000 };

/** Tables of Amazon DynamoDB, and their changes by DynamoDB Streams. */
export const createTableFeed: AwsPackage['dynamodb-tables']['createTableFeed'] = ({
  table,
  layout,
  ...options
}) => new DynamoTable({ ...clientOptions(options), requestHandler }, { name: table, layout });

class DynamoTable implements TableFeed {
  readonly publish: TableFeed['publish'];
  readonly #client: DynamoDBClient;
  readonly #table: { readonly name: string; readonly layout: TableLayout };
  readonly #list: ShardList;
  readonly #reader: ShardReader;

  constructor(
    options: DynamoDBClientConfig,
    table: { readonly name: string; readonly layout: TableLayout },
  ) {
    const streams = new DynamoDBStreamsClient(options);
    this.#client = new DynamoDBClient(options);
    this.#table = table;
    this.#list = new ShardList(streams);
    this.#reader = new ShardReader(streams);
    this.publish = createWriter({ client: this.#client, ...table });
  }

  async read(cursor: FeedPage['cursor'] | null): Promise<FeedPage> {
    const position = cursor === null ? await this.#begin() : fromCursor(cursor);
    if (position.scan !== null) return this.#scan(position, position.scan);
    try {
      const page = await readChanges({ list: this.#list, reader: this.#reader }, position);
      const isEnded = Object.keys(fromCursor(page.cursor).shards).length === 0;
      if (isEnded && page.changes.length === 0) await this.#requireCurrent(position);
      return page;
    } catch (error) {
      if (!isLoss(error)) throw error;
      return this.read(null);
    }
  }

  /** A table that was created anew, or whose stream was, has another stream. */
  async #requireCurrent({ streamArn }: StreamPosition): Promise<void> {
    const { name, layout } = this.#table;
    if (streamArn === (await describeTable(this.#client, name, layout))) return;
    throw new ChangesLostError('the table has another stream');
  }

  /**
   * The stream is read from here after the scan. What is in shards that have already ended is in
   * the table, too; what is in open ones is told again, which changes nothing.
   */
  async #begin(): Promise<StreamPosition> {
    const { name, layout } = this.#table;
    const streamArn = await describeTable(this.#client, name, layout);
    this.#list.forget();
    const listed = await this.#list.read(streamArn);
    const done = [...listed].flatMap(([id, { isClosed }]) => (isClosed ? [id] : []));
    return { streamArn, scan: {}, shards: {}, done };
  }

  async #scan(
    position: StreamPosition,
    from: NonNullable<StreamPosition['scan']>,
  ): Promise<FeedPage> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new ScanCommand({
        TableName: this.#table.name,
        // A change that is not in the stream after this position must be in the table.
        ConsistentRead: true,
        Limit: ITEMS_AT_ONCE,
        ...(Object.keys(from).length > 0 && { ExclusiveStartKey: toAttributes(from) }),
      }),
    );
    const scan = LastEvaluatedKey === undefined ? null : fromAttributes(LastEvaluatedKey);
    return {
      changes: Items.map(fromAttributes).map((item) => ({
        key: Object.fromEntries(this.#table.layout.keys.map((key) => [key, item[key]])),
        item,
      })),
      cursor: toCursor({ ...position, scan }),
      reads: 'table',
      newestAt: null,
    };
  }
}

/** The stream keeps changes for 24 hours, and ends with its table. */
const isLoss = (error: unknown): boolean =>
  error instanceof ChangesLostError ||
  error instanceof TrimmedDataAccessException ||
  error instanceof ResourceNotFoundException;
