import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveSamlService } from '../../src/saml/saml-services.ts';
import { createBrowser } from '../provider/support/browser.ts';
import {
  openProvider,
  REDIRECT_URI,
  type OpenProvider,
} from '../provider/support/open-provider.ts';
import { makeSamlKey, RSA_SHA256, type SamlKey } from '../provider/support/saml-key.ts';

const ISSUER = 'https://service.example/metadata';

let idp: OpenProvider;
let key: SamlKey;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
  key = await makeSamlKey();
  await saveSamlService(idp.context, {
    appId: idp.appId,
    entityId: ISSUER,
    acsUrls: [REDIRECT_URI, `${REDIRECT_URI}/other`],
    logoutUrl: null,
    certificate: key.certificate,
  });
});
afterAll(() => idp[Symbol.asyncDispose]());

const place = (): string => `/api/v2/saml-idp/${idp.appId}`;

/** What the service provider asks, or an attacker in its name. */
function asks(id: string, { attributes = '', children = '' } = {}): string {
  return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" IssueInstant="2026-01-01T00:00:00Z" Version="2.0"${attributes}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${ISSUER}</saml:Issuer>${children}</samlp:AuthnRequest>`;
}

const EVIL = { attributes: ` AssertionConsumerServiceURL="${REDIRECT_URI}/other"` };
const redirected = (xml: string): string =>
  `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`;

/** As the service provider sends it by redirect. */
function signedQuery(xml: string): string {
  const signed = `${redirected(xml)}&SigAlg=${encodeURIComponent(RSA_SHA256)}`;
  return `${signed}&Signature=${encodeURIComponent(key.sign(signed))}`;
}

/** Without what a client would tidy up. */
async function open(path: string): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port, pathname } = new URL(idp.host);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path: pathname + path }, (reply) => {
      const status = reply.statusCode ?? 0;
      text(reply).then((body) => resolve({ status, body }), reject);
    }).on('error', reject);
  });
}

const post = (xml: string) =>
  createBrowser(REDIRECT_URI).open(idp.host + place(), {
    method: 'POST',
    body: new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64') }),
  });

test('a request signed by the service provider is accepted, by redirect and POST', async () => {
  expect((await open(`${place()}?${signedQuery(asks('_a'))}`)).status).toBe(303);
  const children = key.signatureOf('_b', asks('_b'));
  expect((await post(asks('_b', { children }))).status).toBe(200);
});

test.each<[string, () => string]>([
  [
    'another message, which the router reads behind a fragment',
    () => `#${redirected(asks('_evil', EVIL))}&x=?${signedQuery(asks('_c'))}`,
  ],
  [
    'a RelayState whose name is written in another way',
    () => `?${signedQuery(asks('_d'))}&%52elayState=evil`,
  ],
  [
    'a RelayState behind a second question mark',
    () => `?${signedQuery(asks('_e'))}?&RelayState=evil`,
  ],
  ['a RelayState that was not signed', () => `?${signedQuery(asks('_f'))}&RelayState=evil`],
  [
    'an algorithm whose name is written in another way',
    () => `?${signedQuery(asks('_g')).replace('SigAlg', 'Sig%41lg')}`,
  ],
])('an attacker cannot add %s to a signed redirect', async (_what, queryOf) => {
  expect(await open(place() + queryOf())).toMatchObject({ status: 400 });
});

test('an attacker cannot reuse the signature of other content', async () => {
  // Metadata is signed with the same key, and for everybody.
  const metadata = '<x:EntityDescriptor xmlns:x="urn:x" ID="_metadata"></x:EntityDescriptor>';
  const children = `${key.signatureOf('_metadata', metadata)}<samlp:Extensions>${metadata}</samlp:Extensions>`;
  const page = await post(asks('_evil', { ...EVIL, children }));
  expect(page.status).toBe(400);
  expect(page.body).toContain('the signature does not cover the whole message');
});

test('a request that was signed for another identity provider is rejected', async () => {
  const attributes = ' Destination="https://other.example/sso"';
  expect((await open(`${place()}?${signedQuery(asks('_h', { attributes }))}`)).status).toBe(400);
  const own = ` Destination="${idp.host}${place()}"`;
  expect((await open(`${place()}?${signedQuery(asks('_i', { attributes: own }))}`)).status).toBe(
    303,
  );
});
