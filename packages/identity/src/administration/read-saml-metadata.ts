import { samlServiceInput, type SamlMetadata } from '@deviceportal/contract/provider-admin';
import { refuse } from '@deviceportal/contract/refuse';
import { XmlParser, type XmlElement } from '../saml/saml-library.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

const field = 'metadata';
const metadataValues = ['entityId', 'acsUrls', 'logoutUrl', 'certificate'] as const;

/**
 * Reads a service provider's metadata (SAML 2.0 Metadata, section 2.4.4): its ACS URLs for
 * HTTP-POST, the default one first, its sign-out URL, and its signing key.
 * @throws PortalError invalidParameters at `metadata`
 */
export function readSamlMetadata(metadata: string): SamlMetadata {
  // A document type can hold entities that grow without end.
  if (/<!DOCTYPE/i.test(metadata)) throw refuse('saml-metadata-has-document-type', { field });
  const entity = parse(metadata);
  const [service] = below(entity, METADATA, 'SPSSODescriptor');
  if (service === undefined) throw refuse('saml-metadata-invalid', { field });
  const consumers = below(service, METADATA, 'AssertionConsumerService')
    .filter((each) => each.getAttribute('Binding') === POST_BINDING)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const logout = below(service, METADATA, 'SingleLogoutService').find((each) =>
    [REDIRECT_BINDING, POST_BINDING].includes(each.getAttribute('Binding') ?? ''),
  );
  const read = samlServiceInput.omit({ appId: true }).safeParse({
    entityId: entity.getAttribute('entityID') ?? '',
    acsUrls: consumers.map((each) => each.getAttribute('Location')),
    logoutUrl: logout?.getAttribute('Location') ?? null,
    certificate: certificateOf(service),
  });
  if (read.success) return read.data;
  const value = metadataValues.find((name) => name === read.error.issues[0]?.path[0]);
  throw value === undefined
    ? refuse('saml-metadata-invalid', { field })
    : refuse('saml-metadata-value-invalid', { field, facts: { value } });
}

function parse(metadata: string): XmlElement {
  const fail = (): never => {
    throw refuse('saml-metadata-invalid', { field });
  };
  const parser = new XmlParser({
    errorHandler: { warning: fail, error: fail, fatalError: fail },
  });
  const root = parser.parseFromString(metadata, 'text/xml')?.documentElement ?? fail();
  return root.localName === 'EntityDescriptor' ? root : fail();
}

/** The default before the others, then by their index. */
function rankOf(consumer: XmlElement): number {
  if (consumer.getAttribute('isDefault') === 'true') return -1;
  return Number(consumer.getAttribute('index') ?? 0) || 0;
}

/** PEM of the key that signs; a key without a use is for everything. */
function certificateOf(service: XmlElement): string | null {
  const key = below(service, METADATA, 'KeyDescriptor').find(
    (each) => each.getAttribute('use') !== 'encryption',
  );
  const [certificate] = key === undefined ? [] : below(key, SIGNATURE, 'X509Certificate');
  const base64 = certificate?.textContent?.replaceAll(/\s/g, '') ?? '';
  if (base64 === '') return null;
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function below(element: XmlElement, namespace: string, name: string): XmlElement[] {
  const all = Array.from(element.getElementsByTagName('*'));
  return all.filter((each) => each.namespaceURI === namespace && each.localName === name);
}
