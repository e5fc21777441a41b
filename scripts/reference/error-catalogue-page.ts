import { errorCatalogue } from '../../packages/contract/src/errors.ts';
import { code, GENERATED, table, type ReferencePage } from './markdown.ts';

export function errorCataloguePage(): ReferencePage {
  const rows = Object.entries(errorCatalogue)
    .toSorted(([, a], [, b]) => a.code - b.code)
    .map(([name, entry]) => [entry.code, code(name), entry.httpStatus, entry.message]);
  return {
    file: 'error-catalogue.md',
    text: `${GENERATED}

# Error catalogue

Every failure that crosses the API carries one of these. A procedure's error has it in \`data.portal\`:
\`{ code, name, message, issues, facts, requestId }\`. What HTTP itself refuses (a body that is too large, an unknown
address) answers the same object as JSON.

${table(['Code', 'Name', 'HTTP status', 'Meaning'], rows)}
`,
  };
}
