import { z } from 'zod';
import * as journal from '../../packages/device-protocol/src/journal.ts';
import * as messages from '../../packages/device-protocol/src/messages.ts';
import { metricsAckSchema } from '../../packages/device-protocol/src/metrics/metric-message.ts';
import * as liveTopics from '@deviceportal/contract/live-topics';
import {
  VIEWER_POLICY,
  viewerPolicyDocument,
} from '../../apps/server/src/gateway/broker/viewer-policy.ts';
import * as topics from '../../packages/device-protocol/src/topics.ts';
import { code, GENERATED, table, type ReferencePage } from './markdown.ts';
import { describeSchema } from './describe-schema.ts';

const DEVICE = '{deviceId}';
const VIEWER = '{identityId}';

export function deviceTopicsPage(): ReferencePage {
  const rows = [
    ...topics.upChannels.map((channel) => [
      code(topics.upTopic(DEVICE, channel)),
      'device to server',
      channel,
    ]),
    ...topics.downChannels.map((channel) => [
      code(topics.downTopic(DEVICE, channel)),
      'server to device',
      channel,
    ]),
    [code(liveTopics.watchTopic(VIEWER)), 'browser to server', 'watch'],
    [code(liveTopics.liveTopic(VIEWER)), 'server to browser', 'live'],
  ];
  const exported: readonly [string, unknown][] = Object.entries({
    ...{ ...messages, ...journal },
    metricsAckSchema,
  });
  const schemas = exported
    .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `### ${name.replace(/Schema$/, '')}\n\n${describeSchema(schema)}`);
  return {
    file: 'device-topics.md',
    text: `${GENERATED}

# Device topics

A device can publish only below its own \`up/\` and subscribe only below its own \`down/\` (${code(topics.downFilter(DEVICE))}).
The server subscribes to ${code(topics.allUpFilter)}.

${table(['Topic', 'Direction', 'Channel'], rows)}

## Permissions of viewers

Browsers open the live channel with a signed URL (service ${code('iotdevicegateway')}, path ${code('/mqtt')}) and temporary credentials of the
identity pool. The broker allows each connection only what this AWS IoT policy, ${code(VIEWER_POLICY)}, allows.
Guests have no permissions.

\`\`\`json
${JSON.stringify(viewerPolicyDocument, null, 2)}
\`\`\`

## Messages

${schemas.join('\n\n')}
`,
  };
}
