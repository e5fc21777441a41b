import { errorCatalog, type ErrorName } from '../../packages/contract/src/errors.ts';
import type { FactKind } from '../../packages/contract/src/refusals/refusal.ts';
import { refusals, type RefusalReason } from '../../packages/contract/src/refusals/refusals.ts';
import { reactionTo } from '../../apps/portal/src/ui/error-reaction/error-reactions.ts';
import { code, GENERATED, table, type ReferencePage } from './markdown.ts';

export function errorCatalogPage(): ReferencePage {
  const rows = Object.entries(errorCatalog)
    .toSorted(([, a], [, b]) => a.code - b.code)
    .map(([name, entry]) => [
      entry.code,
      code(name),
      entry.httpStatus,
      entry.message,
      describeReaction({ name: name as ErrorName, reason: null }),
    ]);
  const reasons = Object.entries(refusals)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([reason, { error, facts, sentence }]) => [
      code(reason),
      errorCatalog[error].code,
      errorCatalog[error].httpStatus,
      sentence,
      Object.entries<FactKind>(facts).map(describeFact).join(', '),
      describeReaction({ name: error, reason: reason as RefusalReason }),
    ]);
  return {
    file: 'error-catalog.md',
    text: `${GENERATED}

# Error catalog

Every error of the API has one of these codes. The error of a procedure contains it in \`data.portal\`:
\`{ code, name, message, issues, facts, reason, requestId }\`. Requests that HTTP itself rejects (such as a body that is too
large, or an unknown URL) get the same object as JSON.

${table(['Code', 'Name', 'HTTP status', 'Meaning', 'In the portal'], rows)}

## Reasons

\`reason\` is the specific cause of an error, or null if the code is sufficient. Clients compare reasons, never sentences. The
portal shows the sentence in the language of the user, at the field that \`issues\` names, if any. In a sentence,
\`{name}\` stands for a value of \`facts\`. A fact with \`?\` is optional. Facts that are not declared here are never sent by the
server.

${table(['Reason', 'Code', 'HTTP status', 'Sentence', 'Facts', 'In the portal'], reasons)}
`,
  };
}

/** `devices (count)` */
function describeFact([name, kind]: readonly [string, FactKind]): string {
  return `${code(name)} (${typeof kind === 'string' ? kind : kind.map(code).join(' / ')})`;
}

/** How the portal shows an error, and the actions that it offers. */
function describeReaction(error: Parameters<typeof reactionTo>[0]): string {
  const { place, actions } = reactionTo(error);
  return [place, ...actions].join(', ');
}
