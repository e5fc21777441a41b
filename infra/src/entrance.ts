import { Aws, Duration } from 'aws-cdk-lib';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  ContainerImage,
  FargateService,
  FargateTaskDefinition,
  LogDrivers,
  type Cluster,
} from 'aws-cdk-lib/aws-ecs';
import {
  AlpnPolicy,
  ListenerCertificate,
  NetworkLoadBalancer,
  Protocol,
  SslPolicy,
  type NetworkTargetGroup,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledged-findings.ts';
import type { NetworkStack } from './network-stack.ts';
import { BALANCER_HEALTH_PORT, BALANCER_PORT, DEVICE_PORT, HTTP_PORT } from './ports.ts';
import type { RegistryStack } from './registry-stack.ts';
import { createStartRole, createTaskRole } from './server-task.ts';
import type { Settings } from './settings.ts';

export interface EntranceProps {
  readonly settings: Settings;
  readonly registry: RegistryStack;
  readonly network: NetworkStack;
  readonly cluster: Cluster;
  readonly gateway: FargateService;
}

/**
 * One public address: HTTPS to HAProxy, which knows the roles, and the device port to the gateway, unless devices connect
 * to AWS IoT Core. An application
 * load balancer would reject the portal's batches of queries, because it allows URLs of at most 16 kB.
 */
export class Entrance extends Construct {
  readonly loadBalancer: NetworkLoadBalancer;
  readonly portal: NetworkTargetGroup;
  readonly devices: NetworkTargetGroup | undefined;

  constructor(scope: Construct, id: string, props: EntranceProps) {
    super(scope, id);
    const { settings, network, gateway } = props;
    this.loadBalancer = new NetworkLoadBalancer(this, 'LoadBalancer', {
      vpc: network.vpc,
      internetFacing: true,
      securityGroups: [network.entrance],
      crossZoneEnabled: true,
      deletionProtection: true,
    });
    logRequestsTo(createLogBucket(this), this.loadBalancer);
    this.portal = this.loadBalancer
      .addListener('Https', {
        port: 443,
        protocol: Protocol.TLS,
        certificates: [ListenerCertificate.fromArn(settings.certificateArn)],
        sslPolicy: SslPolicy.RECOMMENDED_TLS,
        alpnPolicy: AlpnPolicy.HTTP2_PREFERRED,
      })
      .addTargets('Portal', {
        port: BALANCER_PORT,
        protocol: Protocol.TCP,
        proxyProtocolV2: true,
        targets: [createBalancer(this, props)],
        deregistrationDelay: Duration.seconds(30),
        healthCheck: { protocol: Protocol.HTTP, port: String(BALANCER_HEALTH_PORT), path: '/' },
      });
    this.devices =
      settings.devices === 'broker' ? listenForDevices(this.loadBalancer, gateway) : undefined;
  }
}

function listenForDevices(
  loadBalancer: NetworkLoadBalancer,
  gateway: FargateService,
): NetworkTargetGroup {
  return loadBalancer
    .addListener('Devices', { port: DEVICE_PORT, protocol: Protocol.TCP })
    .addTargets('Devices', {
      port: DEVICE_PORT,
      protocol: Protocol.TCP,
      // The broker limits connections by address.
      preserveClientIp: true,
      targets: [
        gateway.loadBalancerTarget({ containerName: 'portal', containerPort: DEVICE_PORT }),
      ],
      deregistrationDelay: Duration.seconds(10),
      healthCheck: {
        protocol: Protocol.HTTP,
        port: String(HTTP_PORT),
        path: '/healthz/gateway',
        interval: Duration.seconds(10),
      },
    });
}

function createBalancer(scope: Construct, props: EntranceProps): FargateService {
  const { registry, settings, network, cluster } = props;
  const task = new FargateTaskDefinition(scope, 'Balancer', {
    cpu: 512,
    memoryLimitMiB: 1024,
    taskRole: createTaskRole(scope, 'BalancerRole'),
    executionRole: createStartRole(scope, 'BalancerStartRole'),
  });
  task.addContainer('balancer', {
    image: ContainerImage.fromEcrRepository(registry.balancer, settings.release),
    logging: LogDrivers.awsLogs({
      streamPrefix: 'balancer',
      logGroup: new LogGroup(scope, 'BalancerLog', { retention: RetentionDays.THREE_MONTHS }),
    }),
    readonlyRootFilesystem: true,
    portMappings: [{ containerPort: BALANCER_PORT }, { containerPort: BALANCER_HEALTH_PORT }],
  });
  return new FargateService(scope, 'BalancerService', {
    cluster,
    taskDefinition: task,
    desiredCount: 2,
    minHealthyPercent: 100,
    maxHealthyPercent: 200,
    circuitBreaker: { rollback: true },
    securityGroups: [network.balancer],
    vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
  });
}

function createLogBucket(scope: Construct): Bucket {
  const log = new Bucket(scope, 'AccessLog', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    lifecycleRules: [{ expiration: Duration.days(90) }],
  });
  acknowledge(log, 'AwsSolutions-S1');
  return log;
}

/** The method of the CDK requires a fixed region. */
function logRequestsTo(bucket: Bucket, loadBalancer: NetworkLoadBalancer): void {
  const principals = [new ServicePrincipal('delivery.logs.amazonaws.com')];
  const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals,
      conditions,
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects(`AWSLogs/${Aws.ACCOUNT_ID}/*`)],
    }),
  );
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals,
      conditions,
      actions: ['s3:GetBucketAcl'],
      resources: [bucket.bucketArn],
    }),
  );
  loadBalancer.setAttribute('access_logs.s3.enabled', 'true');
  loadBalancer.setAttribute('access_logs.s3.bucket', bucket.bucketName);
  if (bucket.policy !== undefined) loadBalancer.node.addDependency(bucket.policy);
}
