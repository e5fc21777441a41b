import { XmlParser, type XmlElement } from './saml-library.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const LONGEST_CHARACTERS = 64 * 1_024;
const MOST_ELEMENTS = 200;
const ELEMENT_NODE = 1;

/**
 * Messages of a service provider, with their allowed child elements (SAML 2.0 core, sections 3.4.1
 * and 3.7.1).
 */
const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  AuthnRequest: [
    `${ASSERTION} Issuer`,
    `${SIGNATURE} Signature`,
    `${PROTOCOL} Extensions`,
    `${ASSERTION} Subject`,
    `${PROTOCOL} NameIDPolicy`,
    `${ASSERTION} Conditions`,
    `${PROTOCOL} RequestedAuthnContext`,
    `${PROTOCOL} Scoping`,
  ],
  LogoutRequest: [
    `${ASSERTION} Issuer`,
    `${SIGNATURE} Signature`,
    `${PROTOCOL} Extensions`,
    `${ASSERTION} BaseID`,
    `${ASSERTION} NameID`,
    `${ASSERTION} EncryptedID`,
    `${PROTOCOL} SessionIndex`,
  ],
};

/**
 * Rejects unsafe XML before it is used: document types and entities (expansion), comments,
 * processing instructions, a second message or signature, duplicate IDs, a signature of another
 * element than the message (signature wrapping), and excessive length.
 * @returns the message
 * @throws Error with the reason
 */
export function guardSamlMessage(xml: string): XmlElement {
  if (xml.length > LONGEST_CHARACTERS) throw new Error('the message is too long');
  // A comment in a name makes two names of it, one for each way to read it.
  if (/<!|<\?(?!xml\s)/.test(xml)) {
    throw new Error('document types, comments, and processing instructions are not accepted');
  }
  const root = parse(xml);
  const allowed = root.namespaceURI === PROTOCOL ? MESSAGES[root.localName ?? ''] : undefined;
  if (allowed === undefined) throw new Error('this type of message is not accepted');
  const children = elementsOf(root);
  const names = children.map(({ namespaceURI, localName }) => `${namespaceURI} ${localName}`);
  if (names.some((name) => !allowed.includes(name))) {
    throw new Error('the message contains unexpected content');
  }
  const inside = Array.from(root.getElementsByTagName('*'));
  if (inside.length > MOST_ELEMENTS) throw new Error('the message has too many elements');
  refuseSecondOnes(root, inside);
  return root;
}

/** One message, one signature directly in it and of all of it (SAML 2.0 core, section 5.4.2), every id once. */
function refuseSecondOnes(root: XmlElement, inside: readonly XmlElement[]): void {
  const inner = inside.filter(({ localName }) => (localName ?? '') in MESSAGES);
  if (inner.length > 0) throw new Error('the message contains another message');
  const signatures = inside.filter(
    ({ localName, namespaceURI }) => namespaceURI === SIGNATURE && localName === 'Signature',
  );
  if (signatures.length > 1) throw new Error('the message has more than one signature');
  if (signatures.some(({ parentNode }) => parentNode !== root)) {
    throw new Error('the signature is not part of the message');
  }
  const references = inside.filter(
    ({ localName, namespaceURI }) => namespaceURI === SIGNATURE && localName === 'Reference',
  );
  const isOfMessage = (reference: XmlElement): boolean =>
    reference.getAttribute('URI') === `#${root.getAttribute('ID')}`;
  if (references.length !== signatures.length || !references.every(isOfMessage)) {
    throw new Error('the signature does not cover the whole message');
  }
  const ids = [root, ...inside].flatMap((each) =>
    ['ID', 'Id', 'id'].map((name) => each.getAttribute(name) ?? '').filter((id) => id !== ''),
  );
  if (new Set(ids).size !== ids.length) throw new Error('an ID occurs twice');
}

function parse(xml: string): XmlElement {
  const refuse = (): never => {
    throw new Error('the message is not well-formed XML');
  };
  const parser = new XmlParser({
    errorHandler: { warning: refuse, error: refuse, fatalError: refuse },
  });
  const root = parser.parseFromString(xml, 'text/xml')?.documentElement;
  return root ?? refuse();
}

function elementsOf(parent: XmlElement): XmlElement[] {
  return Array.from(parent.childNodes).filter(({ nodeType }) => nodeType === ELEMENT_NODE);
}
