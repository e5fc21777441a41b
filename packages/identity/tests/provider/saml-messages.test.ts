import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSamlMessage } from '../../src/saml/check-saml-message.ts';
import { checkSamlSchema } from '../../src/saml/saml-schema.ts';
import { createBrowser, formsOf } from './support/browser.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const ADA = { email: 'ada@example.com', password: 'Correct horse 1' };

const names = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
const maybe = (part: string) => fc.constantFrom('', part);

interface Message {
  readonly kind: 'AuthnRequest' | 'LogoutRequest';
  readonly id: string;
  readonly attributes: string;
  readonly children: readonly string[];
}

/** A request as service providers send them: in the order of the schema, each optional part there or not. */
const authnRequests: fc.Arbitrary<Message> = fc
  .tuple(
    names,
    names,
    fc.tuple(
      maybe('<samlp:Extensions><x:hint xmlns:x="urn:x">1</x:hint></samlp:Extensions>'),
      maybe('<saml:Subject><saml:NameID>somebody</saml:NameID></saml:Subject>'),
      maybe('<samlp:NameIDPolicy AllowCreate="true"/>'),
      maybe('<saml:Conditions NotOnOrAfter="2030-01-01T00:00:00Z"/>'),
      maybe(
        '<samlp:RequestedAuthnContext Comparison="exact"><saml:AuthnContextClassRef>urn:x</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>',
      ),
      maybe('<samlp:Scoping ProxyCount="2"/>'),
    ),
    maybe(' ForceAuthn="true"'),
  )
  .map(([id, issuer, parts, attributes]) => ({
    kind: 'AuthnRequest',
    id: `_${id}`,
    attributes,
    children: [`<saml:Issuer>${issuer}</saml:Issuer>`, ...parts.filter((part) => part !== '')],
  }));
const logoutRequests: fc.Arbitrary<Message> = fc
  .tuple(names, names, maybe('<samlp:SessionIndex>_1</samlp:SessionIndex>'))
  .map(([id, issuer, index]) => ({
    kind: 'LogoutRequest',
    id: `_${id}`,
    attributes: '',
    children: [
      `<saml:Issuer>${issuer}</saml:Issuer>`,
      '<saml:NameID>somebody</saml:NameID>',
      ...(index === '' ? [] : [index]),
    ],
  }));
const messages = fc.oneof(authnRequests, logoutRequests);

function write({ kind, id, attributes, children }: Message): string {
  return `<samlp:${kind} xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${id}" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"${attributes}>${children.join('')}</samlp:${kind}>`;
}

const SIGNATURE = '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>';
const ASSERTED = (id: string): string =>
  `<saml:Assertion ID="${id}" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><saml:Issuer>idp</saml:Issuer></saml:Assertion>`;

/** What an attacker makes of a message that a service provider sent. */
const attacks: Readonly<Record<string, (message: Message) => string>> = {
  'a wrapped message': (m) => write({ ...m, children: [...m.children, write(m)] }),
  'a wrapped message of another id': (m) =>
    write({ ...m, children: [...m.children, write({ ...m, id: '_other' })] }),
  'a message in Extensions': (m) =>
    write({
      ...m,
      children: [m.children[0] ?? '', `<samlp:Extensions>${write(m)}</samlp:Extensions>`],
    }),
  'an assertion': (m) => write({ ...m, children: [...m.children, ASSERTED('_x')] }),
  'two assertions in Extensions': (m) =>
    write({
      ...m,
      children: [
        m.children[0] ?? '',
        `<samlp:Extensions>${ASSERTED(m.id)}${ASSERTED(m.id)}</samlp:Extensions>`,
      ],
    }),
  'an empty signature': (m) => write({ ...m, children: [m.children[0] ?? '', SIGNATURE] }),
  'two signatures': (m) => write({ ...m, children: [SIGNATURE, SIGNATURE, ...m.children] }),
  'a signature elsewhere': (m) =>
    write({ ...m, children: [`<saml:Issuer>sp${SIGNATURE}</saml:Issuer>`] }),
  'two issuers': (m) => write({ ...m, children: [m.children[0] ?? '', ...m.children] }),
  'the issuer last': (m) =>
    write({ ...m, children: ['<samlp:Extensions/>', ...m.children.slice(0, 1)] }),
  'a comment in the issuer': (m) => write(m).replace('</saml:Issuer>', '<!-- -->x</saml:Issuer>'),
  'a comment in the name': (m) =>
    write({ ...m, children: ['<saml:NameID>admin<!---->.evil</saml:NameID>'] }),
  'marked-up text': (m) => write(m).replace('</saml:Issuer>', '<![CDATA[x]]></saml:Issuer>'),
  'a document type': (m) => `<!DOCTYPE x SYSTEM "file:///etc/passwd">${write(m)}`,
  'an entity': (m) =>
    `<!DOCTYPE x [<!ENTITY a "sp">]>${write(m).replace('</saml:Issuer>', '&a;</saml:Issuer>')}`,
  'an entity of nowhere': (m) => write(m).replace('</saml:Issuer>', '&a;</saml:Issuer>'),
  'a stylesheet': (m) => `<?xml-stylesheet href="x"?>${write(m)}`,
  'the namespace of SAML 1.1': (m) =>
    write(m).replace(PROTOCOL, 'urn:oasis:names:tc:SAML:1.0:protocol'),
  'no namespace': (m) => write(m).replaceAll(/(<\/?)samlp:/g, '$1'),
  'an issuer of another namespace': (m) => write(m).replace(`saml="${ASSERTION}"`, 'saml="urn:x"'),
  'no id': (m) => write(m).replace(` ID="${m.id}"`, ''),
  'an id that is none': (m) => write(m).replace(`ID="${m.id}"`, 'ID="1 or 2"'),
  'no version': (m) => write(m).replace(' Version="2.0"', ''),
  'no time': (m) => write(m).replace('IssueInstant="2026-01-01T00:00:00Z"', 'IssueInstant="now"'),
  'an unknown attribute': (m) => write({ ...m, attributes: ' Admin="true"' }),
  'an unknown element': (m) => write({ ...m, children: [...m.children, '<samlp:Admin/>'] }),
  'text beside the elements': (m) => write({ ...m, children: [...m.children, 'admin'] }),
  'half of it': (m) => write(m).slice(0, -10),
  'a second root': (m) => `${write(m)}${write(m)}`,
};

describe('messages of service providers', () => {
  it('requests that conform to the schema of SAML 2.0 are accepted', async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        await checkSamlMessage(write(message));
      }),
      { numRuns: 100 },
    );
  });

  it.each(Object.keys(attacks))(
    '[idp-saml-schema-2] a request with %s is refused',
    async (name) => {
      const attack = attacks[name] ?? write;
      await fc.assert(
        fc.asyncProperty(messages, async (message) => {
          await expect(checkSamlMessage(attack(message)), attack(message)).rejects.toThrow(/./);
        }),
        { numRuns: 20 },
      );
    },
  );
});

describe('messages of the provider', () => {
  let idp: OpenProvider;
  beforeAll(async () => {
    idp = await openProvider({ limits: 'off' });
    await idp.makeUser({ ...ADA, profile: { name: 'Ada <&> "Lovelace" 李' } });
  });
  afterAll(() => idp[Symbol.asyncDispose]());

  const placeOf = (path: string, xml: string): string => {
    const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') });
    return `${idp.host}/api/v2/saml-idp/${idp.appId}${path}?${query.toString()}`;
  };
  const request = (kind: Message['kind'], children: readonly string[]): string =>
    write({ kind, id: '_1', attributes: '', children });

  it('its responses conform to the schema, for sign-in and sign-out', async () => {
    const browser = createBrowser(REDIRECT_URI);
    const issuer = '<saml:Issuer>https://service.example</saml:Issuer>';
    const page = await browser.open(placeOf('', request('AuthnRequest', [issuer])));
    const password = await browser.open(`${page.url.href}?way=password`);
    const sent = await browser.submit(password, 'password', {
      account: ADA.email,
      password: ADA.password,
    });
    const response = formsOf(sent.body)[0]?.inputs['SAMLResponse'] ?? '';
    const xml = Buffer.from(response, 'base64').toString('utf8');
    expect(xml).toContain('<saml:Assertion');
    await checkSamlSchema(xml);
    const name = '<saml:NameID>somebody</saml:NameID>';
    const out = await browser.open(placeOf('/logout', request('LogoutRequest', [issuer, name])));
    const answer = out.url.searchParams.get('SAMLResponse') ?? '';
    await checkSamlSchema(inflateRawSync(Buffer.from(answer, 'base64')).toString('utf8'));
  });

  it('a service provider with an invalid request is shown the problem', async () => {
    const browser = createBrowser(REDIRECT_URI);
    const page = await browser.open(
      placeOf(
        '',
        request('AuthnRequest', ['<saml:Issuer>sp</saml:Issuer>', '<samlp:Scoping A="1"/>']),
      ),
    );
    expect(page.status).toBe(400);
    expect(page.body).toContain('attribute &#39;A&#39;: The attribute &#39;A&#39; is not allowed');
  });
});
