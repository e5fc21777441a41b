import { refusal } from '../refusals/refusal.ts';

export const versionRefusals = {
  'version-not-approvable': refusal<{ component: string; version: string; model: string }>(
    '{component} {version} cannot be approved for {model}.',
  ),
  'version-state-refuses': refusal<{
    component: string;
    version: string;
    state: string;
    to: string;
  }>('{component} {version} cannot change from {state} to {to}.'),
  'version-still-approved': refusal<{
    component: string;
    version: string;
    model: string;
    country: string;
  }>('{component} {version} is still approved for {model} ({country}).'),
  'version-registered': refusal<{ component: string; version: string }>(
    '{component} {version} is already registered.',
  ),
  'version-file-fixed': refusal<{ component: string; version: string; state: string }>(
    'The file of {component} {version} cannot change. Its status is {state}.',
  ),
  'upload-piece-invalid': refusal<{ problem: string }>(
    'This part does not fit the upload: {problem}. Start the upload again.',
  ),
  'server-disk-full': refusal('The server has no disk space left for uploads.'),
  'versions-need-whole-fleet': refusal(
    'This applies to all devices, and you manage versions for some of them.',
    'noPermission',
  ),
  'approval-out-of-reach': refusal<{ model: string; country: string }>(
    'This approval for {model} ({country}) would apply to devices outside the scope that you manage.',
    'noPermission',
  ),
} as const;
