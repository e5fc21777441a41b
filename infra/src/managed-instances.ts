import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** Managed instances with this tag appear as devices, and no others take commands. */
export const INSTANCE_TAG = { key: 'DevicePortal', value: 'yes' };

const MOST_DELIVERIES = 5;

/** The queue of status changes of Run Command, which gateways receive (docs/guides/ssm.md). */
export class ManagedInstances extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const shared = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    };
    this.queue = new Queue(this, 'Events', {
      ...shared,
      // Commands are also read without events: older ones are of no use.
      retentionPeriod: Duration.hours(1),
      deadLetterQueue: {
        queue: new Queue(this, 'DeadEvents', { ...shared, retentionPeriod: Duration.days(14) }),
        maxReceiveCount: MOST_DELIVERIES,
      },
    });
    new Rule(this, 'CommandChanged', {
      description: 'Status changes of commands on managed instances',
      eventPattern: {
        source: ['aws.ssm'],
        detailType: ['EC2 Command Invocation Status-change Notification'],
      },
      targets: [new SqsQueue(this.queue)],
    });
  }

  get serverSettings(): Readonly<Record<string, string>> {
    return {
      DEVICEPORTAL_RUN_COMMAND: 'ssm',
      DEVICEPORTAL_RUN_COMMAND_TAGS: `${INSTANCE_TAG.key}=${INSTANCE_TAG.value}`,
      DEVICEPORTAL_RUN_COMMAND_LABELS: `${INSTANCE_TAG.key}.*`,
      DEVICEPORTAL_RUN_COMMAND_QUEUE: this.queue.queueUrl,
    };
  }
}
