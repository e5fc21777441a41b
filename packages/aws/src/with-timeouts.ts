import type { AwsOptions } from '@deviceportal/server/aws-package';
import { clientOptions } from './client-options.ts';

const CONNECT_LIMIT_MS = 5_000;
const ANSWER_LIMIT_MS = 15_000;

/** For calls that a start waits for: an attempt without an answer fails, and is repeated. */
export function withTimeouts(options: AwsOptions) {
  return {
    ...clientOptions(options),
    requestHandler: {
      connectionTimeout: CONNECT_LIMIT_MS,
      requestTimeout: ANSWER_LIMIT_MS,
      throwOnRequestTimeout: true,
    },
  };
}
