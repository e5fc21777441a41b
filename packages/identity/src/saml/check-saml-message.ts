import { guardSamlMessage } from './saml-guard.ts';
import type { XmlElement } from './saml-library.ts';
import { checkSamlSchema } from './saml-schema.ts';

/**
 * Everything that is looked at before anything of a message is believed: first what no parser should see, then the schema.
 * @returns the message itself
 * @throws Error that says what is wrong, in one line
 */
export async function checkSamlMessage(xml: string): Promise<XmlElement> {
  const message = guardSamlMessage(xml);
  await checkSamlSchema(xml);
  return message;
}
