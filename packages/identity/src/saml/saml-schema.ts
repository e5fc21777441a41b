import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** The schemas of OASIS and W3C, as a package brings them along. */
const PROTOCOL_SCHEMA = 'saml-schema-protocol-2.0.xsd';
const FILES = [
  PROTOCOL_SCHEMA,
  'saml-schema-assertion-2.0.xsd',
  'xmldsig-core-schema.xsd',
  'xenc-schema.xsd',
  'XMLSchema.dtd',
  'datatypes.dtd',
];
/** Base URL for references between the schemas. Nothing else can be loaded. */
const BASE = 'saml:///';

type CheckSchema = (xml: string) => void;

let opened: Promise<CheckSchema> | undefined;

/**
 * Validates a message against the schemas of SAML 2.0 (saml-schema-protocol-2.0): elements, their
 * order and number, and the types of their values. The schemas are read at the first message.
 * @param xml without document types
 * @throws Error with the reason
 */
export async function checkSamlSchema(xml: string): Promise<void> {
  opened ??= openSchema().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  const check = await opened;
  check(xml);
}

async function openSchema(): Promise<CheckSchema> {
  const {
    ParseOption,
    XmlBufferInputProvider,
    XmlDocument,
    XsdValidator,
    xmlRegisterInputProvider,
  } = await import('libxml2-wasm');
  const folder = new URL(
    'schemas/',
    pathToFileURL(require.resolve('@authenio/samlify-xmllint-wasm/package.json')),
  );
  const files = await Promise.all(
    FILES.map(async (name) => [`${BASE}${name}`, await readFile(new URL(name, folder))] as const),
  );
  xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(files)));
  using schema = XmlDocument.fromBuffer(
    new Map(files).get(`${BASE}${PROTOCOL_SCHEMA}`) ?? Buffer.of(),
    {
      url: `${BASE}${PROTOCOL_SCHEMA}`,
    },
  );
  const validator = XsdValidator.fromDoc(schema);
  return (xml) => {
    using message = XmlDocument.fromString(xml, { option: ParseOption.XML_PARSE_NO_XXE });
    try {
      validator.validate(message);
    } catch (error) {
      // The library's message has one line per problem.
      const [first = ''] = error instanceof Error ? error.message.split('\n') : [];
      throw new Error(first, { cause: error });
    }
  };
}
