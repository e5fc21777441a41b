import type { DocumentsDeps } from '../../src/documents/change-version.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { origin } from './command-fixture.ts';
import { publishVersion } from './publish-document.ts';

/** One step, `set`, that can be undone. */
export const UNDOABLE = 'acme-set-mode';

const step = (name: string): string =>
  `- action: aws:runShellScript\n    name: ${name}\n    inputs: { runCommand: ['true'] }\n`;

/** Publishes the document as active and disruptive. */
export async function publishUndoable(deps: DocumentsDeps, author: Viewer): Promise<void> {
  await createDocument(deps, author, {
    ...{ name: UNDOABLE, description: '', consequence: 'disrupts' },
    ...{ secretParameters: [], labels: {} },
    content: `schemaVersion: '2.2'\nmainSteps:\n  ${step('set')}`,
    phasesText: `undo:\n  ${step('back')}`,
    ...{ note: '', origin },
  });
  await publishVersion(deps, author, { name: UNDOABLE, version: 1 });
}

/** The steps of a device on which it took effect. */
export const stepsDone = (state = 'Success'): string =>
  JSON.stringify([{ index: 0, name: 'set', action: 'x', state }]);
