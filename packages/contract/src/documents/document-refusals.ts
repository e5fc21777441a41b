import { refusal } from '../refusals/refusal.ts';

export const documentRefusals = {
  'document-deprecated': refusal<{ document: string }>('The document {document} is deprecated.'),
  'document-changed': refusal<{ latestVersion: number }>(
    'Version {latestVersion} was added in the meantime. Compare it with yours and try again.',
  ),
  'document-unchanged': refusal('The content is the same as in the latest version.'),
  'document-state-refuses': refusal<{ document: string; state: string }>(
    'This action is not available for {document}. Its status is {state}.',
  ),
  'document-name-taken': refusal<{ document: string }>(
    'A document named {document} already exists.',
  ),
  'document-name-reserved': refusal(
    'Names that start with "DevicePortal-" are reserved for built-in documents.',
  ),
  'secret-parameter-unknown': refusal('A secret parameter is not a parameter of the document.'),
  'version-is-default': refusal(
    'This is the default version. Make another version the default first, or deprecate the document.',
  ),
  'version-in-review': refusal<{ versionInReview: number }>(
    'Version {versionInReview} is already in review.',
  ),
  'sub-document-loop': refusal<{ document: string; way: string }>('{document} runs itself: {way}.'),
  'sub-document-too-deep': refusal<{ document: string; way: string }>(
    '{document} is nested too deeply: {way}.',
  ),
  'sub-document-missing': refusal<{ document: string }>('The document {document} does not exist.'),
  'documents-too-large': refusal<{ document: string; limitKib: number }>(
    '{document} is larger than {limitKib} KiB with the documents that it runs.',
  ),
  'document-invalid': refusal<{ line: number; problem: string }>(
    'The document is not valid. Line {line}: {problem}',
  ),
  'own-version': refusal<{ approverRoles: string }>(
    'Another user must review your version. Roles that can approve: {approverRoles}.',
    'noPermission',
  ),
} as const;
