import { channel } from 'node:diagnostics_channel';
import type {
  AwsCall,
  AwsCallChannel,
  AwsCredentials,
  AwsOptions,
} from '@deviceportal/server/aws-package';

interface ClientOptions {
  readonly region: string;
  readonly endpoint?: string;
  readonly credentials?: AwsCredentials;
  readonly logger: typeof callLogger;
}

const calls = channel('deviceportal:aws-call' satisfies AwsCallChannel);

/** A log entry of an AWS client about a call. */
interface LoggedCall {
  readonly clientName: string;
  readonly commandName: string;
  readonly input: { readonly Bucket?: string };
  readonly error?: unknown;
}

const publishCall = (content: LoggedCall): void => {
  if (!calls.hasSubscribers) return;
  const { clientName: client, commandName: command, input, error } = content;
  calls.publish({ client, command, bucket: input.Bucket, error } satisfies AwsCall);
};

const ignore = (): void => {};
/** Announces every call, after its last attempt. */
const callLogger = { info: publishCall, error: publishCall, debug: ignore, warn: ignore };

/** What every client is constructed with: without an endpoint and credentials, it finds its own. */
export function clientOptions({ region, endpoint, credentials }: AwsOptions): ClientOptions {
  return {
    region,
    logger: callLogger,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  };
}
