import { guardSamlMessage } from './saml-guard.ts';
import type { XmlElement } from './saml-library.ts';
import { checkSamlSchema } from './saml-schema.ts';

/**
 * All checks of a message before it is used: first unsafe content, then the schema.
 * @returns the message
 * @throws Error with the reason, on one line
 */
export async function checkSamlMessage(xml: string): Promise<XmlElement> {
  const message = guardSamlMessage(xml);
  await checkSamlSchema(xml);
  return message;
}
