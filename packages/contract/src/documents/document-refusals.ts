import { refusal } from '../refusals/refusal.ts';

export const documentRefusals = {
  'document-deprecated': refusal('The document {document} is deprecated.', {
    facts: { document: 'document' },
  }),
  'document-changed': refusal(
    'Version {latestVersion} was added in the meantime. Compare it with yours and try again.',
    { facts: { latestVersion: 'count', 'createdBy?': 'user' } },
  ),
  'document-unchanged': refusal('The content is the same as in the latest version.'),
  'document-state-refuses': refusal(
    'This action is not available for {document}. Its status is {state}.',
    { facts: { document: 'document', state: 'word', 'version?': 'count' } },
  ),
  'document-name-taken': refusal('A document named {document} already exists.', {
    facts: { document: 'document' },
  }),
  'document-name-reserved': refusal(
    'Names that start with "DevicePortal-" are reserved for built-in documents.',
    { facts: { 'document?': 'document' } },
  ),
  'secret-parameter-unknown': refusal('A secret parameter is not a parameter of the document.'),
  'version-is-default': refusal(
    'This is the default version. Make another version the default first, or deprecate the document.',
    { facts: { 'document?': 'document', 'version?': 'count' } },
  ),
  'version-in-review': refusal('Version {versionInReview} is already in review.', {
    facts: { versionInReview: 'count', 'document?': 'document' },
  }),
  'sub-document-loop': refusal('{document} runs itself: {way}.', {
    facts: { document: 'document', way: 'text' },
  }),
  'sub-document-too-deep': refusal('{document} is nested too deeply: {way}.', {
    facts: { document: 'document', way: 'text' },
  }),
  'sub-document-missing': refusal('The document {document} does not exist.', {
    facts: { document: 'document' },
  }),
  'documents-too-large': refusal(
    '{document} is larger than {limitKib} KiB with the documents that it runs.',
    { facts: { document: 'document', limitKib: 'count' } },
  ),
  'document-invalid': refusal('The document is not valid. Start with line {line}.', {
    facts: { line: 'count' },
  }),
  'own-version': refusal(
    'Another user must review your version. Roles that can approve: {approverRoles}.',
    { facts: { approverRoles: 'text', 'permission?': 'permission' }, error: 'noPermission' },
  ),
} as const;
