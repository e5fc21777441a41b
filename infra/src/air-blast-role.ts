import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal, Role, SessionTagsPrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ROLE_PATH } from './role-path.ts';

/**
 * The role that operators of an AirBlast rollout also assume, through the servers with the role `web`. It has no
 * permissions: operators attach policies below `/deviceportal/`.
 */
export class AirBlastRole extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, webRoleArn: string) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      path: ROLE_PATH,
      description: 'Operators of AirBlast rollouts, for 900 seconds',
      maxSessionDuration: Duration.hours(1),
      assumedBy: new SessionTagsPrincipal(new ArnPrincipal(webRoleArn)),
    });
  }
}
