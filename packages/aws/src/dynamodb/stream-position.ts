import type { FeedCursor } from '@deviceportal/server/aws-package';

/** Where reading of a table continues. */
export interface StreamPosition {
  readonly streamArn: string;
  /** The key after which the scan continues; `{}` at its start, null if it is complete. */
  readonly scan: Readonly<Record<string, unknown>> | null;
  /** The last sequence number read of each shard; empty if nothing of it was read. */
  readonly shards: Readonly<Record<string, string>>;
  /** Shards that were read to their end. */
  readonly done: readonly string[];
}

/** A cursor contains only what `toCursor` put into it. */
export const fromCursor = (cursor: FeedCursor): StreamPosition =>
  cursor as unknown as StreamPosition;

export const toCursor = (position: StreamPosition): FeedCursor => ({ ...position });
