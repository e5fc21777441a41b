import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { AwsCall, AwsCallChannel } from '../platform/aws/aws-package.ts';
import type { FilesConfig } from '../platform/config/config.ts';
import type { ContactLog } from './contact-log.ts';
import { isFault, sourceOfCall } from './source-of-call.ts';

const CHANNEL: AwsCallChannel = 'deviceportal:aws-call';

/** Records the calls to AWS of this process, which the optional package announces. */
export function recordAwsCalls(
  contacts: Pick<ContactLog, 'answered' | 'failed'>,
  reports: FilesConfig,
): Disposable {
  const bucket = reports.kind === 's3' ? reports.bucket : undefined;
  const record = (message: unknown): void => {
    const call = message as AwsCall;
    const source = sourceOfCall(call, bucket);
    if (source === undefined) return;
    if (call.error === undefined) contacts.answered(source);
    else if (isFault(call.error)) contacts.failed(source, call.error);
    else if (isAnswer(call.error)) contacts.answered(source);
  };
  subscribe(CHANNEL, record);
  return { [Symbol.dispose]: () => void unsubscribe(CHANNEL, record) };
}

const isAnswer = (error: unknown): boolean => error instanceof Error && error.name !== 'AbortError';
