import type { BucketRule } from '@deviceportal/contract/device-limits';
import type { RefusalPauseOptions } from '../refusal-pause.ts';

/** Limits for clients of the HTTP server. Addresses are counted by `addressBucket`. */
export interface HttpLimits {
  /** Sockets, including WebSockets. */
  readonly connections: number;
  /** Per address. Addresses of trusted proxies are not counted. */
  readonly connectionsPerAddress: number;
  /** Requests whose response is not fully read. */
  readonly requests: number;
  readonly requestsPerAddress: number;
  /** Responses with 4xx to one address. Further ones are delayed by `refusalPause`. */
  readonly refusals: BucketRule;
  readonly refusalPause: RefusalPauseOptions;
  /** From the start of a connection or request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** How long a client can stall while it should send or read. */
  readonly slowGraceMs: number;
  /** Minimum average rate after that. */
  readonly slowestBytesPerSecond: number;
  /** Interval of the check. */
  readonly sweepMs: number;
}

export const httpLimits: HttpLimits = {
  connections: 20_000,
  connectionsPerAddress: 1_000,
  requests: 5_000,
  requestsPerAddress: 500,
  refusals: { burst: 100, perSecond: 10 },
  refusalPause: { waitMs: 1_000, most: 1_000 },
  headersTimeoutMs: 15_000,
  slowGraceMs: 20_000,
  slowestBytesPerSecond: 4 * 1024,
  sweepMs: 1_000,
};
