import type { ConnectionMessage } from '@deviceportal/device-protocol/messages';
import { describeConnection } from '../../../src/gateway/connection-settings.ts';

/** Connection settings of devices, as a server announces them. */
export const testConnection = (brokerUrl = 'mqtts://localhost:8883'): ConnectionMessage =>
  describeConnection({ brokerUrls: [brokerUrl], subscriptionQos: 1, heartbeatSeconds: 60 });
