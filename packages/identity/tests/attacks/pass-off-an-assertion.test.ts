import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { saveSamlService } from '../../src/saml/saml-services.ts';
import { createBrowser, type Browser } from '../provider/support/browser.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';
import { makeSamlKey, type SamlKey } from '../provider/support/saml-key.ts';

const CORP = 'https://corp.example/metadata';
const SSO = 'https://corp.example/sso';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const NAMESPACE = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';

let idp: OpenProvider;
let key: SamlKey;
beforeAll(async () => {
  key = await makeSamlKey();
  const certificates = [key.certificate];
  const corp = { identifier: 'corp', displayName: 'Corp', idpEntityId: CORP, ssoUrl: SSO };
  idp = await openProvider({
    limits: 'off',
    connections: [{ protocol: 'saml', ...corp, certificates }],
  });
});
afterAll(() => idp[Symbol.asyncDispose]());

/** A sign-in that an attacker has begun in a browser of their own. */
let browser: Browser;
let requestId: string;
let state: string;
beforeEach(async () => {
  browser = createBrowser(SSO);
  const { url } = await browser.open(`${place()}/start?app_id=${idp.appId}`);
  const sent = Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64');
  requestId = /\bID="([^"]+)"/.exec(inflateRawSync(sent).toString())?.[1] ?? '';
  state = url.searchParams.get('RelayState') ?? '';
});

const place = (): string => `${idp.host}/connections/saml/corp`;
const inAMinute = (): string => new Date(Date.now() + 60_000).toISOString();

interface Parts {
  readonly id?: string;
  readonly issuer?: string;
  readonly subject?: string;
  readonly audience?: string;
  readonly recipient?: string;
  readonly inResponseTo?: string;
  readonly method?: string;
  /** XML. */
  readonly confirmation?: string;
}

/** An assertion in its canonical form; by default the one that answers. */
function assertion({
  id = '_good',
  issuer = CORP,
  subject = 'ada',
  audience = place(),
  recipient = `${place()}/callback`,
  inResponseTo = requestId,
  method = BEARER,
  confirmation = `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData InResponseTo="${inResponseTo}" NotOnOrAfter="${inAMinute()}" Recipient="${recipient}"></saml:SubjectConfirmationData></saml:SubjectConfirmation>`,
}: Parts = {}): string {
  return `<saml:Assertion ${NAMESPACE} ID="${id}" IssueInstant="${new Date().toISOString()}" Version="2.0"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID>${subject}</saml:NameID>${confirmation}</saml:Subject><saml:Conditions NotOnOrAfter="${inAMinute()}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions></saml:Assertion>`;
}

const withSignature = (xml: string, signature: string): string =>
  xml.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
const signed = (xml: string): string => withSignature(xml, key.signatureOf('_good', xml));
const response = (inner: string): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ${NAMESPACE} ID="_response" InResponseTo="${requestId}" IssueInstant="${new Date().toISOString()}" Version="2.0"><saml:Issuer>${CORP}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${inner}</samlp:Response>`;

/** @returns the code of the last answer; 200: somebody is signed in */
async function answer(xml: string): Promise<number> {
  const SAMLResponse = Buffer.from(xml).toString('base64');
  const body = new URLSearchParams({ SAMLResponse, RelayState: state });
  const page = await browser.open(`${place()}/callback`, { method: 'POST', body });
  return Number(/"code":(\d+)/.exec(page.body)?.[1]);
}

async function people(): Promise<readonly string[]> {
  const { rows } = await idp.pool.query<{ subject: string }>(
    'select user_id_in_idp as subject from identity.provider_identity',
  );
  return rows.map(({ subject }) => subject);
}

const REFUSED = 2303;
const ENDED = 2301;

test('the assertion for the request signs in its user, and an attacker can change nothing in it', async () => {
  expect(await answer(response(signed(assertion())))).toBe(200);
  expect(await people()).toEqual(['ada']);
});

test.each<[string, () => Parts]>([
  ['of another identity provider with the same key', () => ({ issuer: 'https://other.example' })],
  ['for another service provider', () => ({ audience: 'https://other.example' })],
  ['for another address', () => ({ recipient: 'https://other.example/acs' })],
  ['in answer to another request', () => ({ inResponseTo: '_other' })],
  [
    'that nobody asked for',
    () => ({
      confirmation: `<saml:SubjectConfirmation Method="${BEARER}"><saml:SubjectConfirmationData NotOnOrAfter="${inAMinute()}" Recipient="${place()}/callback"></saml:SubjectConfirmationData></saml:SubjectConfirmation>`,
    }),
  ],
  ['for the holder of a key', () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' })],
  ['without a confirmation', () => ({ confirmation: '' })],
])('a signed assertion %s does not sign in', async (_what, parts) => {
  expect(await answer(response(signed(assertion(parts()))))).toBe(REFUSED);
});

const evil = (): string => assertion({ id: '_evil', subject: 'admin' });
/** Signature wrapping, as the literature numbers it: Somorovsky et al., On Breaking SAML. */
const wrappings: Readonly<Record<string, () => string>> = {
  'before the signed one': () => evil() + signed(assertion()),
  'behind the signed one': () => signed(assertion()) + evil(),
  'around the signed one': () =>
    evil().replace('</saml:Assertion>', `${signed(assertion())}</saml:Assertion>`),
  'with its signature, and the signed one as its object': () => {
    const signature = key
      .signatureOf('_good', assertion())
      .replace('</ds:Signature>', `<ds:Object>${assertion()}</ds:Object></ds:Signature>`);
    return withSignature(evil(), signature);
  },
  'with its signature and id': () =>
    `${withSignature(assertion({ subject: 'admin' }), key.signatureOf('_good', assertion()))}<x>${assertion()}</x>`,
  'beside the signed one in an extension': () =>
    `<samlp:Extensions>${signed(assertion())}</samlp:Extensions>${evil()}`,
  'beside a response with the signed one': () => `${evil()}<x>${response(signed(assertion()))}</x>`,
  'as the signed one, cut by a comment': () =>
    signed(assertion()).replace('>ada<', '>admin<!-- -->ada<'),
};
test.each(Object.keys(wrappings))('an attacker cannot substitute an assertion %s', async (name) => {
  expect(await answer(response(wrappings[name]?.() ?? ''))).toBe(REFUSED);
  expect(await people()).toEqual(['ada']);
});

const many = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join('');
/** A million characters at most; the time of each grew with the square. */
const slow: Readonly<Record<string, () => string>> = {
  'many elements': () => many(20_000, () => '<a/>'),
  'namespaces in each other': () =>
    many(15_000, (index) => `<a xmlns:n${index}="u">`) + '</a>'.repeat(15_000),
  'many attributes of a signature': () =>
    signed(assertion()).replace(
      '<ds:Transforms>',
      `<ds:Transforms><a ${many(20_000, (index) => `a${index}="" `)}/>`,
    ),
  'entities of entities': () => '&a;',
};
test.each(Object.keys(slow))(
  'an attacker cannot block the server by a response with %s',
  async (name) => {
    const head = name.startsWith('entities') ? '<!DOCTYPE a [<!ENTITY a "&b;">]>' : '';
    const before = performance.now();
    expect(await answer(head + response(slow[name]?.() ?? ''))).toBe(REFUSED);
    expect(performance.now() - before).toBeLessThan(1_000);
  },
  120_000,
);

test('an invalid response ends the sign-in and cannot be retried', async () => {
  expect(await answer(response(evil()))).toBe(REFUSED);
  expect(await answer(response(signed(assertion())))).toBe(ENDED);
});

test('an application does not get assertions for another one', async () => {
  const { context, host, appId } = idp;
  const other = await context.applications.find(appId);
  await context.applications.save({
    ...other,
    appId: 'other',
    name: 'Other',
    secret: 's',
  } as never);
  const entityId = 'https://other.example/metadata';
  const acsUrls = ['https://other.example/acs'];
  await saveSamlService(context, {
    appId: 'other',
    entityId,
    acsUrls,
    logoutUrl: null,
    certificate: null,
  });
  const asked = async (issuer: string): Promise<number> => {
    const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><saml:Issuer ${NAMESPACE}>${issuer}</saml:Issuer></samlp:AuthnRequest>`;
    const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') });
    const reply = await fetch(`${host}/api/v2/saml-idp/${appId}?${query}`, { redirect: 'manual' });
    return reply.status;
  };
  expect(await asked('https://own.example/metadata')).toBe(303);
  expect(await asked(entityId)).toBe(400);
});
