import { downFilter, upChannels, upTopic } from '@deviceportal/device-protocol/topics';

export interface PolicyPlace {
  /** `aws`, or `aws-cn` in China. */
  readonly partition: string;
  readonly region: string;
  /** ID of the AWS account. */
  readonly account: string;
}

/** The thing to which the certificate of the connection is attached; its name is the device ID. */
const THING = '${iot:Connection.Thing.ThingName}';

/**
 * The policy of all device certificates at AWS IoT (at most 2,048 characters): a device connects under its own ID,
 * publishes on its own topics, and subscribes to its own topics.
 */
export function devicePolicyDocument({ partition, region, account }: PolicyPlace) {
  const arn = (resource: string): string => `arn:${partition}:iot:${region}:${account}:${resource}`;
  const allow = (action: string, resources: readonly string[]) => ({
    Effect: 'Allow',
    Action: action,
    Resource: resources.map(arn),
  });
  return {
    Version: '2012-10-17',
    Statement: [
      {
        ...allow('iot:Connect', [`client/${THING}`]),
        Condition: { Bool: { 'iot:Connection.Thing.IsAttached': 'true' } },
      },
      allow(
        'iot:Publish',
        upChannels.map((channel) => `topic/${upTopic(THING, channel)}`),
      ),
      allow('iot:Subscribe', [`topicfilter/${downFilter(THING)}`]),
      // A list of them would make the policy too long.
      allow('iot:Receive', [`topic/${downFilter(THING).replace('+', '*')}`]),
    ],
  };
}
