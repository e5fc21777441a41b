import type { ConnectionMessage } from '@deviceportal/device-protocol/messages';
import type { Identity } from '../store/identity-file.ts';

/** A device that connects with TLS is never sent to a broker without. */
export function keepsTls({ brokerUrl }: Identity, { brokerUrls }: ConnectionMessage): boolean {
  return brokerUrl.startsWith('mqtt:') || brokerUrls.every((url) => url.startsWith('mqtts:'));
}
