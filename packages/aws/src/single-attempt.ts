import type { AwsOptions } from '@deviceportal/server/aws-package';
import { clientOptions } from './client-options.ts';

const CONNECT_LIMIT_MS = 5_000;
/** Shorter than the claim of an attempt at a message. */
const CALL_LIMIT_MS = 15_000;

/** For calls that must not be repeated without the caller's knowledge, such as sending a code. */
export function singleAttempt(options: AwsOptions) {
  return {
    client: {
      ...clientOptions(options),
      maxAttempts: 1,
      requestHandler: { connectionTimeout: CONNECT_LIMIT_MS },
    },
    limit: () => ({ abortSignal: AbortSignal.timeout(CALL_LIMIT_MS) }),
  };
}
