import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';

export interface ListedShard {
  readonly parent: string | undefined;
  /** Nothing more is written to it. */
  readonly isClosed: boolean;
}

export type ListedShards = ReadonlyMap<string, ListedShard>;

const KEPT_MS = 60_000;

/** The shards of a stream. New ones appear when an earlier one ends, so that a list can be kept. */
export class ShardList {
  readonly #client: DynamoDBStreamsClient;
  readonly #kept = new Map<string, { readonly shards: ListedShards; readonly untilMs: number }>();

  constructor(client: DynamoDBStreamsClient) {
    this.#client = client;
  }

  async read(streamArn: string): Promise<ListedShards> {
    const kept = this.#kept.get(streamArn);
    if (kept !== undefined && performance.now() < kept.untilMs) return kept.shards;
    const shards = await this.#list(streamArn);
    this.#kept.clear();
    this.#kept.set(streamArn, { shards, untilMs: performance.now() + KEPT_MS });
    return shards;
  }

  forget(): void {
    this.#kept.clear();
  }

  async #list(StreamArn: string): Promise<ListedShards> {
    const found: Shard[] = [];
    let ExclusiveStartShardId: string | undefined;
    do {
      const { StreamDescription } = await this.#client.send(
        new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }),
      );
      found.push(...(StreamDescription?.Shards ?? []));
      ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
    } while (ExclusiveStartShardId !== undefined);
    return new Map(
      found.map(({ ShardId = '', ParentShardId, SequenceNumberRange }) => [
        ShardId,
        {
          parent: ParentShardId,
          isClosed: SequenceNumberRange?.EndingSequenceNumber !== undefined,
        },
      ]),
    );
  }
}
