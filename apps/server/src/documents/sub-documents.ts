import {
  contentOfRun,
  declaredPhases,
  type DocumentPhases,
} from '@deviceportal/contract/document-phases';
import { furtherReaching, type Consequence } from '@deviceportal/contract/permissions';
import type { DocumentStep, SsmDocument } from '@deviceportal/contract/ssm-document';
import { refuse } from '@deviceportal/contract/refuse';
import type { Executor } from '../platform/database/database.ts';
import { findRunnableDocument, type RunnableDocument } from './find-runnable-document.ts';
import { DOCUMENT_LIMIT_BYTES } from './validate-document.ts';

/** Maximum depth that agents run: a document and three levels of sub-documents. */
const MAX_SUB_DOCUMENT_DEPTH = 3;

/** A document that another one runs, in its current version. */
export interface SubDocument extends RunnableDocument {
  /** Reference in the step: `name` or `name:version`. */
  readonly reference: string;
}

interface Root {
  readonly name: string;
  readonly parsed: Pick<SsmDocument, 'mainSteps'>;
  readonly phases: DocumentPhases;
}

/**
 * All documents that a document runs by `aws:runDocument`, directly or indirectly, each once.
 *
 * @throws PortalError 2004 (facts: `document`) if one does not exist, if references form a loop, or if the documents
 * are nested too deeply or too large in total
 */
export async function findSubDocuments(executor: Executor, root: Root): Promise<SubDocument[]> {
  const found = new Map<string, SubDocument>();
  const visit = async (of: Root, path: readonly string[]): Promise<void> => {
    for (const reference of referencesIn(of)) {
      const [name = ''] = reference.split(':');
      const way = [...path, name];
      if (path.includes(name)) {
        throw refuse('sub-document-loop', {
          field: 'document',
          facts: { document: name, way: way.join(' → ') },
        });
      }
      if (path.length > MAX_SUB_DOCUMENT_DEPTH) {
        throw refuse('sub-document-too-deep', {
          field: 'document',
          facts: { document: name, way: way.join(' → ') },
        });
      }
      const known = found.get(reference) ?? (await findRunnableDocument(executor, reference));
      if (known === undefined) {
        throw refuse('sub-document-missing', {
          field: 'document',
          facts: { document: reference },
        });
      }
      found.set(reference, { ...known, reference });
      await visit(known, way);
    }
  };
  await visit(root, [root.name]);
  const all = [...found.values()];
  requireRoom(root, all);
  return all;
}

/** The consequence of a document including its sub-documents. */
export function consequenceWith(own: Consequence, subs: readonly SubDocument[]): Consequence {
  return subs.reduce((widest, { consequence }) => furtherReaching(widest, consequence), own);
}

/** A sub-document in the form in which it is sent to devices, with its phases. */
export function sentSubDocument({ name, version, parsed, phases }: RunnableDocument) {
  const { content, counts } = contentOfRun(parsed, phases, false);
  return { name, version, content, phases: counts };
}

/** Each reference once. */
function referencesIn({ parsed, phases }: Root): ReadonlySet<string> {
  const steps: DocumentStep[] = [
    ...parsed.mainSteps,
    ...declaredPhases.flatMap((phase) => phases[phase] ?? []),
  ];
  const references = steps.flatMap(({ action, inputs }) =>
    action === 'aws:runDocument' && inputs['documentType'] === 'SSMDocument'
      ? [String(inputs['documentPath'])]
      : [],
  );
  return new Set(references);
}

function requireRoom(root: Root, subs: readonly SubDocument[]): void {
  if (subs.length === 0) return;
  const sent = [root.parsed, root.phases, subs.map(({ parsed, phases }) => [parsed, phases])];
  if (Buffer.byteLength(JSON.stringify(sent)) <= DOCUMENT_LIMIT_BYTES) return;
  throw refuse('documents-too-large', {
    field: 'document',
    facts: { document: root.name, limitKib: DOCUMENT_LIMIT_BYTES / 1_024 },
  });
}
