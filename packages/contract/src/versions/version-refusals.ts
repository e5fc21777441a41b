import { refusal } from '../refusals/refusal.ts';

export const versionRefusals = {
  'version-not-approvable': refusal('{component} {version} cannot be approved for {model}.', {
    facts: { component: 'component', version: 'version', model: 'model' },
  }),
  'version-state-refuses': refusal('{component} {version} cannot change from {state} to {to}.', {
    facts: { component: 'component', version: 'version', state: 'word', to: 'word' },
  }),
  'version-still-approved': refusal(
    '{component} {version} is still approved for {model} ({country}).',
    { facts: { component: 'component', version: 'version', model: 'model', country: 'country' } },
  ),
  'version-registered': refusal('{component} {version} is already registered.', {
    facts: { component: 'component', version: 'version' },
  }),
  'version-file-fixed': refusal(
    'The file of {component} {version} cannot change. Its status is {state}.',
    { facts: { component: 'component', version: 'version', state: 'word' } },
  ),
  'upload-range-invalid': refusal(
    'The Content-Range header does not describe a part of a file of {bytes} bytes.',
    { facts: { bytes: 'count' } },
  ),
  'upload-part-missing': refusal(
    'This part begins at byte {start}, and the server has {stored} bytes of the file. Continue from there.',
    { facts: { start: 'count', stored: 'count' } },
  ),
  'upload-part-too-long': refusal(
    'This part is longer than its Content-Range header says. Start the upload again.',
  ),
  'server-disk-full': refusal('The server has no disk space left for uploads.'),
  'versions-need-whole-fleet': refusal(
    'This applies to all devices, and you manage versions for some of them.',
    { facts: { 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'approval-out-of-reach': refusal(
    'This approval for {model} ({country}) would apply to devices outside the scope that you manage.',
    {
      facts: { model: 'model', country: 'country', 'permission?': 'permission' },
      error: 'noPermission',
    },
  ),
} as const;
