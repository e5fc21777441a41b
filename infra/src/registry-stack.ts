import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Repository, TagMutability } from 'aws-cdk-lib/aws-ecr';
import type { Construct } from 'constructs';

/** Where the images of a release are pushed before the other stacks are deployed. */
export class RegistryStack extends Stack {
  readonly server: Repository;
  readonly balancer: Repository;

  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Device Portal: container images' });
    const repository = (name: string): Repository =>
      new Repository(this, name, {
        repositoryName: `deviceportal/${name.toLowerCase()}`,
        imageScanOnPush: true,
        // A release is never replaced by another image.
        imageTagMutability: TagMutability.IMMUTABLE,
        removalPolicy: RemovalPolicy.RETAIN,
      });
    this.server = repository('Server');
    this.balancer = repository('Balancer');
  }
}
