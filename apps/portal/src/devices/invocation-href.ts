import type { InvocationRow } from '@deviceportal/contract/invocations';

/** Where the result of one command on one device is shown. */
export function invocationHref({
  id,
  command,
  deviceId,
}: Pick<InvocationRow, 'id' | 'command' | 'deviceId'>): string {
  return `/commands/${command}?device=${deviceId}&invocation=${id}`;
}
