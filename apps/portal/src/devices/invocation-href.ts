import type { InvocationRow } from '@deviceportal/contract/invocations';

/** The link to the result of a command on one device. */
export function invocationHref({
  id,
  command,
  deviceId,
}: Pick<InvocationRow, 'id' | 'command' | 'deviceId'>): string {
  return `/commands/${command}?device=${deviceId}&invocation=${id}`;
}
