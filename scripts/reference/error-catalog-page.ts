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

Every failure that crosses the API carries one of these. A procedure's error has it in \`data.portal\`:
\`{ code, name, message, issues, facts, reason, requestId }\`. What HTTP itself refuses (a body that is too large, an
unknown address) answers the same object as JSON.

${table(['Code', 'Name', 'HTTP status', 'Meaning', 'In the portal'], rows)}

## Reasons

\`reason\` says why, where the code says too little; it is null elsewhere. Programs compare reasons, never sentences. The
portal shows the sentence in the language of the user, at the field that \`issues\` names where there is one. In a sentence,
\`{name}\` stands for a value of \`facts\`. A fact with \`?\` can be absent; a fact that is not declared here never leaves the server.

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
