import { createHash, createSign } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';

export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const NAMESPACE = 'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"';

/** With which one side of SAML signs. */
export interface SamlKey {
  /** PEM, both. */
  readonly privateKey: string;
  readonly certificate: string;
  /** @returns Base64 */
  sign(signed: string): string;
  /** `ds:Signature` of an element that is written in its canonical form, under this id. */
  signatureOf(id: string, element: string): string;
}

export async function makeSamlKey(): Promise<SamlKey> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2_048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=service.example',
    signingAlgorithm: algorithm,
    keys,
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const lines = pkcs8.toString('base64').match(/.{1,64}/g) ?? [];
  const privateKey = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join(
    '\n',
  );
  const sign = (signed: string): string =>
    createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64');
  return {
    privateKey,
    certificate: certificate.toString('pem'),
    sign,
    signatureOf(id, element) {
      const info = signedInfo(id, element);
      const value = sign(`<ds:SignedInfo ${NAMESPACE}>${info}</ds:SignedInfo>`);
      return `<ds:Signature ${NAMESPACE}><ds:SignedInfo>${info}</ds:SignedInfo><ds:SignatureValue>${value}</ds:SignatureValue></ds:Signature>`;
    },
  };
}

function signedInfo(id: string, element: string): string {
  const digest = createHash('sha256').update(element).digest('base64');
  const method = (name: string, algorithm: string): string =>
    `<ds:${name} Algorithm="${algorithm}"></ds:${name}>`;
  const transforms = method('Transform', ENVELOPED) + method('Transform', EXCLUSIVE);
  const methods =
    method('CanonicalizationMethod', EXCLUSIVE) + method('SignatureMethod', RSA_SHA256);
  return `${methods}<ds:Reference URI="#${id}"><ds:Transforms>${transforms}</ds:Transforms>${method('DigestMethod', SHA256)}<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`;
}
