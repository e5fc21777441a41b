import type { FaultReason } from '@deviceportal/contract/data-sources';

/** Names of errors of AWS services, their clients, Node.js, and nodemailer; the first match applies. */
const patterns: readonly (readonly [FaultReason, RegExp])[] = [
  ['access-denied', /AccessDenied|Forbidden|NotAuthorized|UnauthorizedOperation/],
  [
    'credentials',
    /CredentialsProviderError|Expired(?:Token|Credential)|InvalidClientTokenId|InvalidAccessKeyId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature|EAUTH/,
  ],
  ['not-found', /ResourceNotFound|NoSuchBucket|QueueDoesNotExist|NonExistentQueue/],
  [
    'throttled',
    /Throttl|TooManyRequests|ProvisionedThroughputExceeded|RequestLimitExceeded|SlowDown/,
  ],
  [
    'unreachable',
    /Timeout|ETIMEDOUT|ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ESOCKET|EDNS|ServiceUnavailable/,
  ],
];

/** Why a system failed, by the text of its error. */
export const faultReason = (text: string): FaultReason =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
