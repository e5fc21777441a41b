import type { BucketRule } from '@deviceportal/contract/device-limits';
import type { RefusalPauseOptions } from '../refusal-pause.ts';

/** What clients may hold of the HTTP server. Addresses are counted as `addressBucket` says. */
export interface HttpLimits {
  /** Sockets, WebSockets among them. */
  readonly connections: number;
  /** Of one address; those of trusted proxies are not counted. */
  readonly connectionsPerAddress: number;
  /** Requests whose answer has not been read to its end. */
  readonly requests: number;
  readonly requestsPerAddress: number;
  /** Answers with 4xx to one address; further ones come after `refusalPause`. */
  readonly refusals: BucketRule;
  readonly refusalPause: RefusalPauseOptions;
  /** From the beginning of a connection or request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** How long a client may neither send nor read anything of what it should. */
  readonly slowGraceMs: number;
  /** What a client must send or read on average after that. */
  readonly slowestBytesPerSecond: number;
  /** How often clients are looked at. */
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
