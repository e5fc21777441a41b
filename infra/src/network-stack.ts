import { Stack } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  IpAddresses,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledged-findings.ts';
import { BALANCER_HEALTH_PORT, BALANCER_PORT, DEVICE_PORT, HTTP_PORT } from './ports.ts';
import { ROLE_PATH } from './role-path.ts';
import type { Settings } from './settings.ts';

/** Two zones: load balancer in public subnets, tasks in private ones, the database without a route outside. */
export class NetworkStack extends Stack {
  readonly vpc: Vpc;
  /** Of the public load balancer. */
  readonly entrance: SecurityGroup;
  /** Of HAProxy. */
  readonly balancer: SecurityGroup;
  readonly servers: SecurityGroup;

  constructor(scope: Construct, id: string, { devices }: Pick<Settings, 'devices'>) {
    super(scope, id, { description: 'Device Portal: network' });
    const devicePorts = devices === 'broker' ? [DEVICE_PORT] : [];
    this.vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.90.0.0/16'),
      maxAzs: 2,
      subnetConfiguration: [
        { name: 'Public', subnetType: SubnetType.PUBLIC, cidrMask: 24 },
        { name: 'Servers', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
        { name: 'Database', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 24 },
      ],
      // Files and tables do not pass the NAT gateways, which cost by the gigabyte.
      gatewayEndpoints: {
        S3: { service: GatewayVpcEndpointAwsService.S3 },
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      },
      flowLogs: {
        Rejected: {
          destination: FlowLogDestination.toCloudWatchLogs(
            new LogGroup(this, 'RejectedLog', { retention: RetentionDays.THREE_MONTHS }),
            new Role(this, 'RejectedLogRole', {
              path: ROLE_PATH,
              assumedBy: new ServicePrincipal('vpc-flow-logs.amazonaws.com'),
            }),
          ),
          trafficType: FlowLogTrafficType.REJECT,
        },
      },
    });
    const group = (name: string, description: string): SecurityGroup =>
      new SecurityGroup(this, name, { vpc: this.vpc, description });
    this.entrance = group('Entrance', 'Public load balancer');
    this.balancer = group('Balancer', 'HAProxy');
    this.servers = group('Servers', 'Servers of the portal');
    acknowledge(this.entrance, 'AwsSolutions-EC23');
    for (const port of [443, ...devicePorts]) {
      this.entrance.addIngressRule(Peer.anyIpv4(), Port.tcp(port), 'Browsers and devices');
    }
    for (const port of [BALANCER_PORT, BALANCER_HEALTH_PORT]) {
      this.balancer.addIngressRule(this.entrance, Port.tcp(port), 'Public load balancer');
    }
    for (const port of [HTTP_PORT, ...devicePorts]) {
      this.servers.addIngressRule(this.entrance, Port.tcp(port), 'Devices and health checks');
    }
    this.servers.addIngressRule(this.balancer, Port.tcp(HTTP_PORT), 'HAProxy');
  }
}
