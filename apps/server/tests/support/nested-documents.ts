import type { Consequence } from '@deviceportal/contract/permissions';
import { addDocumentVersion } from '../../src/documents/add-document-version.ts';
import type { DocumentsDeps } from '../../src/documents/change-version.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { origin } from './command-fixture.ts';
import { publishVersion } from './publish-document.ts';

/** A document that prints a word and runs these. */
export function textOf(word: string, ...runs: readonly string[]): string {
  const steps = runs.map(
    (path, index) =>
      `  - { action: aws:runDocument, name: s${index}, inputs: { documentType: SSMDocument, documentPath: '${path}' } }\n`,
  );
  return `schemaVersion: '2.2'\nmainSteps:\n  - { action: aws:runShellScript, name: say, inputs: { runCommand: ['echo ${word}'] } }\n${steps.join('')}`;
}

/** The first version of a document, active. */
export async function publishDocument(
  deps: DocumentsDeps,
  author: Viewer,
  document: { readonly name: string; readonly content: string; readonly consequence?: Consequence },
): Promise<void> {
  await createDocument(deps, author, {
    ...{ description: '', secretParameters: [], labels: {}, note: '', origin },
    ...{ consequence: 'reads', ...document },
  });
  await publishVersion(deps, author, { name: document.name, version: 1 });
}

/** The next version, active and default. */
export async function publishNext(
  deps: DocumentsDeps,
  author: Viewer,
  { name, content, basedOn = 1 }: { name: string; content: string; basedOn?: number },
): Promise<void> {
  await addDocumentVersion(deps, author, { name, basedOn, content, note: '', origin });
  await publishVersion(deps, author, { name, version: basedOn + 1 });
}
