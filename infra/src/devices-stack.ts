import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPolicy, CfnTopicRule } from 'aws-cdk-lib/aws-iot';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { devicePolicyDocument } from '../../apps/server/src/gateway/iot/device-policy.ts';
import { ROLE_PATH } from './role-path.ts';

/** Waiting for an earlier entry of a journal counts as a delivery. */
const DELIVERIES = 50;
/** What the envelope of a message contains (docs/guides/aws.md). */
const ENVELOPE = "SELECT topic() AS topic, encode(*, 'base64') AS payload, timestamp() AS at";
const UP_TOPICS = 'deviceportal/devices/+/up/+';
const CONNECTION_TOPICS = '$aws/events/presence/+/+';

/** AWS IoT Core as transport of devices: the policy of their certificates, and the queue of what they send. */
export class DevicesStack extends Stack {
  readonly policyName = 'deviceportal-devices';
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Device Portal: devices at AWS IoT Core' });
    const common: QueueProps = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    };
    this.deadLetters = new Queue(this, 'DeadLetters', common);
    this.queue = new Queue(this, 'FromDevices', {
      ...common,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: DELIVERIES },
    });
    new CfnPolicy(this, 'Policy', {
      policyName: this.policyName,
      policyDocument: devicePolicyDocument({
        partition: Aws.PARTITION,
        region: Aws.REGION,
        account: Aws.ACCOUNT_ID,
      }),
    });
    const role = new Role(this, 'RuleRole', {
      path: ROLE_PATH,
      description: 'Rules of AWS IoT that fill the queue of device messages',
      assumedBy: new ServicePrincipal('iot.amazonaws.com'),
    });
    const permission = this.queue.grantSendMessages(role);
    this.deadLetters.grantSendMessages(role);
    for (const [name, topics] of [
      ['Messages', UP_TOPICS],
      ['Connections', CONNECTION_TOPICS],
    ] as const) {
      const rule = new CfnTopicRule(this, name, {
        topicRulePayload: {
          awsIotSqlVersion: '2016-03-23',
          sql: `${ENVELOPE} FROM '${topics}'`,
          actions: [sendTo(this.queue, role)],
          errorAction: sendTo(this.deadLetters, role),
        },
      });
      permission.applyBefore(rule);
    }
  }

  get serverSettings(): Readonly<Record<string, string>> {
    return {
      DEVICEPORTAL_IOT_POLICY: this.policyName,
      DEVICEPORTAL_AUDIT_TRAIL_QUEUE: this.queue.queueUrl,
    };
  }
}

const sendTo = ({ queueUrl }: Queue, { roleArn }: Role): CfnTopicRule.ActionProperty => ({
  sqs: { queueUrl, roleArn, useBase64: false },
});
