import type { AccountClaims } from '../oidc/account-claims.ts';
import type { CasFailure } from './cas-tickets.ts';

const NAMESPACE = 'http://www.yale.edu/tp/cas';

const DESCRIPTIONS: Readonly<Record<CasFailure, string>> = {
  INVALID_REQUEST: 'service and ticket are required',
  INVALID_TICKET: 'the ticket is unknown, already used, or expired',
  INVALID_SERVICE: 'the ticket is for another service',
};

/** Attributes of the user: texts, or lists of texts. */
export type CasAttributes = Readonly<Record<string, string | readonly string[]>>;

export function attributesOf(claims: AccountClaims): CasAttributes {
  const attributes: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(claims)) {
    if (Array.isArray(value)) attributes[name] = value.map(String);
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    if (isPlain && name !== 'sub') attributes[name] = String(value);
  }
  return attributes;
}

/** `/serviceValidate` with `format=JSON` (CAS Protocol 3.0, section 2.5.2). */
export function casSuccessJson(user: string, attributes: CasAttributes): object {
  return { serviceResponse: { authenticationSuccess: { user, attributes } } };
}

export function casFailureJson(code: CasFailure): object {
  return {
    serviceResponse: { authenticationFailure: { code, description: DESCRIPTIONS[code] } },
  };
}

/** The same as XML. */
export function casSuccessXml(user: string, attributes: CasAttributes): string {
  const lines = Object.entries(attributes).flatMap(([name, value]) =>
    [value].flat().map((each) => `<cas:${name}>${escapeXml(each)}</cas:${name}>`),
  );
  return envelope(
    `<cas:authenticationSuccess><cas:user>${escapeXml(user)}</cas:user><cas:attributes>${lines.join('')}</cas:attributes></cas:authenticationSuccess>`,
  );
}

export function casFailureXml(code: CasFailure): string {
  return envelope(
    `<cas:authenticationFailure code="${code}">${DESCRIPTIONS[code]}</cas:authenticationFailure>`,
  );
}

function envelope(inner: string): string {
  return `<cas:serviceResponse xmlns:cas="${NAMESPACE}">${inner}</cas:serviceResponse>`;
}

function escapeXml(text: string): string {
  // Characters that XML 1.0 cannot contain are removed.
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
