import { fileFailures, type FileFailure } from '@deviceportal/contract/device-files';
import { portalErrorOf } from '../api/portal-error-of.ts';

/** Why a device refused a request; null for other errors. */
export function failureIn(error: unknown): FileFailure | null {
  if (!error) return null;
  const { reason, facts } = portalErrorOf(error);
  if (reason !== 'files-refused') return null;
  return fileFailures.find((failure) => failure === facts['failure']) ?? 'failed';
}
