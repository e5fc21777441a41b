import { DeliveryError } from './delivery-channel.ts';
import { isNothingSent } from './nothing-sent.ts';

interface AwsFailure {
  readonly name: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Without credentials, no request is made. */
const NO_CREDENTIALS = 'CredentialsProviderError';
const UNAVAILABLE = 503;

/**
 * What a failed call of AWS means for the message. Without an answer, or with an internal error, it
 * may have been accepted. Throttling, quotas, and permissions concern the sender.
 *
 * @param refusals names of the exceptions that reject the recipient or the content
 */
export function awsDeliveryError(error: unknown, refusals: ReadonlySet<string>): DeliveryError {
  const { name, code = name, $metadata } = error as AwsFailure;
  const status = $metadata?.httpStatusCode;
  if (status === undefined) {
    const isCertain = name === NO_CREDENTIALS || isNothingSent(code);
    return new DeliveryError(isCertain ? 'later' : 'uncertain', code);
  }
  const reason = `${status} ${name}`;
  if (status >= 500 && status !== UNAVAILABLE) return new DeliveryError('uncertain', reason);
  return new DeliveryError(refusals.has(name) ? 'refused' : 'later', reason);
}
