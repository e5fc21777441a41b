import type { AccountClaims } from '../oidc/account-claims.ts';
import type { BrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { randomSecret } from '../secrets/secret-hash.ts';
import { NAME_ID_FORMAT, type SamlParties } from './saml-parties.ts';

/** SAML 2.0 profiles, section 4.1.4.2: short, because service providers use it immediately. */
const LIFE_MS = 5 * 60_000;
/** Clocks differ a little. */
const SKEW_MS = 30_000;

export interface AssertionInput {
  readonly signIn: BrowserSignIn;
  readonly claims: AccountClaims;
  readonly acsUrl: string;
  /** Undefined for a sign-in that began here. */
  readonly requestId: string | undefined;
  readonly nowMs: number;
}

/** A response with one assertion, both signed, for this service provider and this address only. @returns Base64 */
export async function samlResponse(
  { entityId, idp, service, sp }: SamlParties,
  input: AssertionInput,
): Promise<string> {
  const id = newId();
  const { context } = await idp.createLoginResponse(
    sp,
    null,
    'post',
    {},
    {
      customTagReplacement: () => ({
        id,
        context: responseXml({ ...input, entityId, audience: service.entityId, id }),
      }),
    },
  );
  return context;
}

interface ResponseParts extends AssertionInput {
  readonly id: string;
  readonly entityId: string;
  readonly audience: string;
}

function responseXml({
  acsUrl,
  audience,
  claims,
  entityId,
  id,
  nowMs,
  requestId,
  signIn,
}: ResponseParts): string {
  const time = (ms: number): string => new Date(ms).toISOString();
  const now = time(nowMs);
  const end = time(nowMs + LIFE_MS);
  const answers = requestId === undefined ? '' : ` InResponseTo="${escape(requestId)}"`;
  const { session, user } = signIn;
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${now}" Destination="${escape(acsUrl)}"${answers}><saml:Issuer>${escape(entityId)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${escape(entityId)}</saml:Issuer><saml:Subject><saml:NameID Format="${NAME_ID_FORMAT}">${escape(user.id)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${end}" Recipient="${escape(acsUrl)}"${answers}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${time(nowMs - SKEW_MS)}" NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${escape(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${session.createdAt.toISOString()}" SessionIndex="${escape(session.id)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributeStatement(claims)}</saml:Assertion></samlp:Response>`;
}

function attributeStatement(claims: AccountClaims): string {
  const attributes = Object.entries(claims).flatMap(([name, value]) => {
    const values = [value]
      .flat()
      .filter((each) => ['string', 'number', 'boolean'].includes(typeof each));
    if (values.length === 0) return [];
    const texts = values.map(
      (each) => `<saml:AttributeValue>${escape(String(each))}</saml:AttributeValue>`,
    );
    return `<saml:Attribute Name="${escape(name)}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic">${texts.join('')}</saml:Attribute>`;
  });
  return `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`;
}

/** An XML id begins with a letter or an underscore. */
function newId(): string {
  return `_${randomSecret(20)}`;
}

function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"'\r\n\t]/g, (character) => `&#${character.codePointAt(0)};`);
}
