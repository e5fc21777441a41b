import { portalErrorOf } from '../../api/portal-error-of.ts';
import type { ExtraProperties } from './extra-fields.tsx';

export const DOCUMENT_NAME = /^[a-zA-Z0-9_.-]{3,128}$/;

const template = `schemaVersion: '2.2'
description: Lists the files of a directory.
parameters:
  path:
    type: String
    description: The directory to list.
    default: /tmp
mainSteps:
  - action: aws:runShellScript
    name: list
    precondition:
      StringEquals:
        - platformType
        - Linux
    inputs:
      timeoutSeconds: '60'
      runCommand:
        - ls -la '{{ path }}'
`;

/** The state of the form for a new document. */
export interface DocumentDraft extends ExtraProperties {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly note: string;
}

export const emptyDraft: DocumentDraft = {
  name: '',
  description: '',
  consequence: 'reads',
  secretParameters: [],
  phasesText: '',
  content: template,
  note: '',
};

export type NameIssue = 'format' | 'taken';

/** @param pressed Whether the form was submitted. An empty name is a problem from then on. */
export function nameIssueOf(name: string, error: unknown, pressed: boolean): NameIssue | undefined {
  if (error !== null && error !== undefined) {
    if (portalErrorOf(error).reason === 'document-name-taken') return 'taken';
  }
  return (pressed || name !== '') && !DOCUMENT_NAME.test(name) ? 'format' : undefined;
}
