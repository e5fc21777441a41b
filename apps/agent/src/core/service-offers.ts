import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import type { DownChannel } from '@deviceportal/device-protocol/topics';

/** What users can reach on a device, for its birth message. */
export type ServiceOffers = Pick<
  StatusMessage,
  'terminal' | 'terminalConsent' | 'files' | 'webPages'
>;

const serviceChannels = ['terminal', 'files', 'web-page'] as const satisfies readonly DownChannel[];
export type ServiceChannel = (typeof serviceChannels)[number];

export const isServiceChannel = (channel: DownChannel): channel is ServiceChannel =>
  serviceChannels.some((each) => each === channel);
