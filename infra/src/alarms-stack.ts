import { Duration, Stack } from 'aws-cdk-lib';
import { ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { DatabaseStack } from './database-stack.ts';
import type { DevicesStack } from './devices-stack.ts';
import { serverRoles } from './grants.ts';
import type { PortalStack } from './portal-stack.ts';

export interface AlarmsProps {
  readonly portal: PortalStack;
  readonly database: DatabaseStack;
  /** Undefined without AWS IoT Core. */
  readonly devices: DevicesStack | undefined;
  /** Email address. */
  readonly to: string;
}

/** What an operator must know: a role without tasks, unreachable targets, and a database at its limits. */
export class AlarmsStack extends Stack {
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, { portal, database, devices, to }: AlarmsProps) {
    super(scope, id, { description: 'Device Portal: alarms' });
    this.#topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.#topic.addSubscription(new EmailSubscription(to));
    const { cluster } = database;
    for (const role of serverRoles) {
      const running = new Metric({
        namespace: 'ECS/ContainerInsights',
        metricName: 'RunningTaskCount',
        dimensionsMap: {
          ClusterName: portal.cluster.clusterName,
          ServiceName: portal.services[role].serviceName,
        },
        statistic: 'Minimum',
        period: Duration.minutes(1),
      });
      this.#alarm(`No${role}`, running, { below: 1, description: `No server with role ${role}` });
    }
    this.#alarm('PortalTargets', portal.entrance.portal.metrics.unHealthyHostCount(), {
      above: 0,
      description: 'A load balancer task is not healthy',
    });
    const targets = portal.entrance.devices?.metrics.healthyHostCount();
    if (targets !== undefined)
      this.#alarm('DeviceTargets', targets, { below: 1, description: 'Devices cannot connect' });
    if (devices !== undefined) this.#watchQueue(devices);
    this.#alarm('DatabaseCapacity', cluster.metricACUUtilization({ period: Duration.minutes(5) }), {
      above: 90,
      description: 'The database is near its maximum capacity',
    });
    this.#alarm('DatabaseConnections', cluster.metricDatabaseConnections(), {
      above: 400,
      description: 'A server uses up to 26 connections; there are unusually many',
    });
  }

  #watchQueue({ queue, deadLetters }: DevicesStack): void {
    this.#alarm('DeviceMessages', queue.metricApproximateAgeOfOldestMessage(), {
      above: 300,
      description: 'Messages of devices wait for more than five minutes, in seconds',
    });
    this.#alarm('DeadLetters', deadLetters.metricApproximateNumberOfMessagesVisible(), {
      above: 0,
      description: 'A message that is not from a device, or that AWS IoT could not deliver',
    });
  }

  #alarm(
    name: string,
    metric: Metric,
    limit: { readonly description: string } & (
      | { readonly above: number }
      | { readonly below: number }
    ),
  ): void {
    const alarm = metric.createAlarm(this, name, {
      alarmDescription: limit.description,
      threshold: 'above' in limit ? limit.above : limit.below,
      comparisonOperator:
        'above' in limit
          ? ComparisonOperator.GREATER_THAN_THRESHOLD
          : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      // A service that never ran has no measurements.
      treatMissingData: 'below' in limit ? TreatMissingData.BREACHING : TreatMissingData.MISSING,
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
  }
}
