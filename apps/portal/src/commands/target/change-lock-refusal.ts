import { portalErrorOf } from '../../api/portal-error-of.ts';

/** Whether a command was rejected because another user has the change lock of the device. */
export function isChangeLockRefusal(error: unknown): boolean {
  if (error === null || error === undefined) return false;
  return portalErrorOf(error).reason === 'lock-held';
}
