import { growthLimitNames } from '../access/growth-limits.ts';
import { refusal } from './refusal.ts';

/** Rejections before a use case runs. */
export const requestRefusals = {
  'limit-reached': refusal('The limit of {limit} is reached: {most} for each {per}.', {
    facts: { limit: growthLimitNames, most: 'count', per: 'word', 'reason?': 'word' },
  }),
  'procedures-not-named': refusal('The address does not name procedures.'),
  'too-many-query-parameters': refusal('The address has too many query parameters.'),
  'input-too-deep': refusal('The input is nested too deeply.'),
  'input-type-unknown': refusal('The input has an unknown type.'),
  'text-not-storable': refusal('A text contains a character that cannot be stored.'),
  'head-too-long': refusal('The address or the headers of the request are too long.'),
  'host-repeated': refusal('The request has more than one Host header.'),
  'host-invalid': refusal('The Host header does not name a host.'),
  'address-has-fragment': refusal('The address of the request has a fragment.'),
  'request-too-slow': refusal('The request took too long to arrive.'),
  'body-too-large': refusal('The request body is too large.'),
  'address-too-long': refusal('The address of the request is too long.'),
  'content-type-unknown': refusal('The content type of the request is not supported.'),
  'request-malformed': refusal('The request cannot be read.'),
  'certificate-request-unreadable': refusal('The certificate request is not a PKCS #10 request.'),
  'certificate-request-unsigned': refusal(
    'The certificate request is not signed with its own key.',
  ),
  'certificate-key-not-p256': refusal(
    'The certificate request needs an EC key on the curve P-256.',
  ),
  'enrollment-invalid': refusal('The enrollment request is not valid. Check: {fields}.', {
    facts: { fields: 'text' },
  }),
  'release-key-unknown': refusal('The server does not have the key that the portal showed.'),
  'input-invalid': refusal('Some fields are not valid. Check them and try again.'),
  'link-ended': refusal('This link has ended. Ask for a new one.', { error: 'noPermission' }),
} as const;
