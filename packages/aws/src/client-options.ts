import type { AwsCredentials, AwsOptions } from '@deviceportal/server/aws-package';

interface ClientOptions {
  readonly region: string;
  readonly endpoint?: string;
  readonly credentials?: AwsCredentials;
}

/** What every client is constructed with: without an endpoint and credentials, it finds its own. */
export function clientOptions({ region, endpoint, credentials }: AwsOptions): ClientOptions {
  return {
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  };
}
