import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, type SecretValue } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnIdentityPool,
  CfnIdentityPoolRoleAttachment,
  CfnUserPoolGroup,
  FeaturePlan,
  Mfa,
  UserPool,
  UserPoolOperation,
  type UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { FederatedPrincipal, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledged-findings.ts';
import { ROLE_PATH } from './role-path.ts';

/** Group of administrators (specification, section 6). */
const ADMIN_GROUP = 'DevicePortal_Admin';
/** Written by `npm run build:triggers`. */
const TRIGGERS = join(import.meta.dirname, '../../dist/sign-in-triggers');

export interface IdentityProps {
  readonly mailFrom: string;
  /** Secret with the URL of a mail server, for example the SMTP endpoint of SES. */
  readonly smtpUrlSecretArn: string;
}

/** A user pool in which users sign in by the portal's one-time codes, and its identity pool. */
export class IdentityStack extends Stack {
  readonly serverSettings: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: IdentityProps) {
    super(scope, id, { description: 'Device Portal: user pool and identity pool' });
    const pool = new UserPool(this, 'UserPool', {
      selfSignUpEnabled: false,
      signInAliases: { username: true, email: true, phone: true },
      autoVerify: { email: true },
      // The portal's functions send the codes.
      enableSmsRole: false,
      accountRecovery: AccountRecovery.NONE,
      featurePlan: FeaturePlan.ESSENTIALS,
      mfa: Mfa.OFF,
      passwordPolicy: {
        minLength: 16,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    acknowledge(pool, 'AwsSolutions-COG2', 'AwsSolutions-COG8');
    this.#addTriggers(pool, props);
    new CfnUserPoolGroup(this, 'Administrators', {
      userPoolId: pool.userPoolId,
      groupName: ADMIN_GROUP,
    });
    const client = pool.addClient('Portal', {
      generateSecret: false,
      authFlows: { custom: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
    });
    const identityPool = this.#createIdentityPool(pool, client);
    this.serverSettings = {
      DEVICEPORTAL_USER_POOL: pool.userPoolId,
      DEVICEPORTAL_USER_POOL_CLIENT_ID: client.userPoolClientId,
      DEVICEPORTAL_IDENTITY_POOL: identityPool.ref,
    };
  }

  #addTriggers(pool: UserPool, { mailFrom, smtpUrlSecretArn }: IdentityProps): void {
    const codeSecret = new Secret(this, 'CodeSecret', {
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    acknowledge(codeSecret, 'AwsSolutions-SMG4');
    const smtpUrl = Secret.fromSecretCompleteArn(this, 'SmtpUrl', smtpUrlSecretArn);
    // The functions read their settings from the environment only. CloudFormation puts the values in place.
    const text = (value: SecretValue): string => value.unsafeUnwrap();
    for (const [name, handler, operation] of [
      ['Define', 'defineAuthChallenge', UserPoolOperation.DEFINE_AUTH_CHALLENGE],
      ['Create', 'createAuthChallenge', UserPoolOperation.CREATE_AUTH_CHALLENGE],
      ['Verify', 'verifyAuthChallengeResponse', UserPoolOperation.VERIFY_AUTH_CHALLENGE_RESPONSE],
    ] as const) {
      const logGroup = new LogGroup(this, `${name}Log`, { retention: RetentionDays.THREE_MONTHS });
      const role = new Role(this, `${name}Role`, {
        path: ROLE_PATH,
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      });
      logGroup.grantWrite(role);
      const trigger = new Function(this, name, {
        runtime: Runtime.NODEJS_24_X,
        code: Code.fromAsset(TRIGGERS),
        handler: `index.${handler}`,
        timeout: Duration.seconds(5),
        memorySize: 256,
        role,
        logGroup,
        environment: {
          DEVICEPORTAL_CODE_SECRET: text(codeSecret.secretValue),
          DEVICEPORTAL_SMTP_URL: text(smtpUrl.secretValue),
          DEVICEPORTAL_MAIL_FROM: mailFrom,
          DEVICEPORTAL_HIDE_USERS: 'on',
        },
      });
      pool.addTrigger(operation, trigger);
    }
  }

  /** Its roles have no permissions: the portal calls no service of AWS from a browser. */
  #createIdentityPool(pool: UserPool, client: UserPoolClient): CfnIdentityPool {
    const identityPool = new CfnIdentityPool(this, 'IdentityPool', {
      allowUnauthenticatedIdentities: false,
      cognitoIdentityProviders: [
        {
          clientId: client.userPoolClientId,
          providerName: pool.userPoolProviderName,
          serverSideTokenCheck: true,
        },
      ],
    });
    const role = new Role(this, 'SignedIn', {
      path: ROLE_PATH,
      assumedBy: new FederatedPrincipal(
        'cognito-identity.amazonaws.com',
        {
          StringEquals: { 'cognito-identity.amazonaws.com:aud': identityPool.ref },
          'ForAnyValue:StringLike': { 'cognito-identity.amazonaws.com:amr': 'authenticated' },
        },
        'sts:AssumeRoleWithWebIdentity',
      ),
    });
    new CfnIdentityPoolRoleAttachment(this, 'Roles', {
      identityPoolId: identityPool.ref,
      roles: { authenticated: role.roleArn },
    });
    return identityPool;
  }
}
