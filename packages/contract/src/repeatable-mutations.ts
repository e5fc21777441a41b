/**
 * Mutations that a client may send again after a lost response, without an idempotency key: they set
 * a value, or return what the first call has made.
 */
export const repeatableMutations: ReadonlySet<string> = new Set([
  'cases.assign',
  'cases.close',
  'cases.enter',
  'cases.leave',
  'cases.open',
  'cases.reopen',
  'commands.setFavorite',
  'devices.update',
  'notifications.markRead',
  'notifications.saveSetting',
  'notifications.waitForDevice',
  'presence.announce',
  'session.endOtherSignIns',
  'session.remember',
  'session.savePreferences',
]);

/**
 * Whether a repeated call changes nothing more, so that it is safe to send a mutation again whose
 * response was lost.
 *
 * @param path of the procedure, such as `cases.open`
 */
export function isRepeatable(path: string, input: unknown): boolean {
  if (repeatableMutations.has(path)) return true;
  return typeof input === 'object' && input !== null && 'idempotencyKey' in input;
}
