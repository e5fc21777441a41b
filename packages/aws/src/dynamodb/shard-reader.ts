import {
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type DynamoDBStreamsClient,
  type _Record,
} from '@aws-sdk/client-dynamodb-streams';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ShardRecords {
  readonly records: readonly _Record[];
  readonly isEnd: boolean;
}

interface Place {
  readonly streamArn: string;
  readonly shardId: string;
  /** Empty for the start of the shard. */
  readonly after: string;
}

/** Maximum of GetRecords, which can be called five times a second per shard (DynamoDB API Reference). */
const RECORDS_AT_ONCE = 1_000;
const CALLS_PER_SECOND = 5;
const SECOND_MS = 1_000;

/** Reads shards. It keeps the iterators, which are valid for 15 minutes, and makes new ones where it has none. */
export class ShardReader {
  readonly #client: DynamoDBStreamsClient;
  readonly #iterators = new Map<string, { readonly after: string; readonly iterator: string }>();
  /** When each shard was read last, the newest call last. */
  readonly #calls = new Map<string, readonly number[]>();

  constructor(client: DynamoDBStreamsClient) {
    this.#client = client;
  }

  /** On the clock of `performance.now()`; 0 if never. */
  lastReadAtMs(shardId: string): number {
    return this.#calls.get(shardId)?.at(-1) ?? 0;
  }

  async read(place: Place): Promise<ShardRecords> {
    const { shardId, after } = place;
    const kept = this.#iterators.get(shardId);
    const isKept = kept?.after === after;
    try {
      return await this.#readFrom(place, isKept ? kept.iterator : await this.#iteratorFor(place));
    } catch (error) {
      this.#iterators.delete(shardId);
      if (!isKept || !(error instanceof ExpiredIteratorException)) throw error;
      return this.#readFrom(place, await this.#iteratorFor(place));
    }
  }

  async #readFrom({ shardId, after }: Place, iterator: string): Promise<ShardRecords> {
    await this.#pace(shardId);
    const { Records: records = [], NextShardIterator: next } = await this.#client.send(
      new GetRecordsCommand({ ShardIterator: iterator, Limit: RECORDS_AT_ONCE }),
    );
    const last = records.at(-1)?.dynamodb?.SequenceNumber ?? after;
    if (next === undefined) {
      this.#iterators.delete(shardId);
      this.#calls.delete(shardId);
    } else this.#iterators.set(shardId, { after: last, iterator: next });
    return { records, isEnd: next === undefined };
  }

  async #iteratorFor({ streamArn, shardId, after }: Place): Promise<string> {
    const { ShardIterator = '' } = await this.#client.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ...(after === ''
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }),
      }),
    );
    return ShardIterator;
  }

  async #pace(shardId: string): Promise<void> {
    const calls = this.#calls.get(shardId) ?? [];
    const [oldest = 0] = calls.slice(-CALLS_PER_SECOND);
    const waitMs = calls.length < CALLS_PER_SECOND ? 0 : oldest + SECOND_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    this.#calls.set(shardId, [...calls.slice(1 - CALLS_PER_SECOND), performance.now()]);
  }
}
