import { openApiDocument } from '../../apps/server/src/api/public/open-api-document.ts';
import type { ReferencePage } from './markdown.ts';

/** The description of `/api/v1` in OpenAPI 3.1, as `/api/v1/openapi.json` with the address of the installation. */
export function openApiPage(): ReferencePage {
  const document = openApiDocument('https://portal.example.com');
  return { file: 'openapi.json', text: `${JSON.stringify(document, null, 2)}\n` };
}
