import { guardSamlMessage } from './saml-guard.ts';
import { checkSamlSchema } from './saml-schema.ts';

/**
 * Everything that is looked at before anything of a message is believed: first what no parser should see, then the schema.
 * @throws Error that says what is wrong, in one line
 */
export async function checkSamlMessage(xml: string): Promise<void> {
  guardSamlMessage(xml);
  await checkSamlSchema(xml);
}
