import type { Construct } from 'constructs';

/** What an operator chooses; the rest follows from the stacks. Values of the CDK context. */
export interface Settings {
  /** Host name of the portal and of the device port: `-c host=portal.example.com`. */
  readonly host: string;
  /** ARN of a certificate for `host` in ACM, in the region of the stacks: `-c certificate=arn:…`. */
  readonly certificateArn: string;
  /** Tag of the images in the registry: `-c release=1.0.0`. */
  readonly release: string;
  /**
   * Whether users sign in at a user pool of Cognito or at the pool of the portal: `-c signIn=…`. Regions of AWS
   * China have no user pools.
   */
  readonly signIn: SignIn;
  readonly mail: Mail;
  /** Whether devices connect to the embedded broker of one task or to AWS IoT Core: `-c devices=iot`. */
  readonly devices: 'broker' | 'iot';
  /** Whether text messages are sent by SNS; regions of AWS China cannot: `-c texts=sns`. */
  readonly texts: 'sns' | 'none';
  /** What answers questions on archived months of the audit trail: `-c analytics=athena`. */
  readonly analytics: 'athena' | 'none';
  /** Whether managed instances of Systems Manager with a tag appear as devices: `-c runCommand=ssm`. */
  readonly runCommand: 'ssm' | 'off';
  /** Whether servers run: `-c servers=off` until the database has its role, schema, and secrets. */
  readonly runsServers: boolean;
  /** Email address that is notified of alarms: `-c alarms=ops@example.com`. */
  readonly alarmsTo: string;
}

export type SignIn =
  | { readonly kind: 'embedded' }
  /** The functions of the user pool send codes by a mail server, such as the SMTP endpoint of SES. */
  | { readonly kind: 'cognito'; readonly smtpUrlSecretArn: string };

/** Both need a sender: `-c mailFrom=portal@example.com`. */
export type Mail =
  | { readonly kind: 'ses'; readonly from: string }
  /** The URL of the mail server is a secret: `-c smtpSecret=arn:…`. Default of regions in China. */
  | { readonly kind: 'smtp'; readonly from: string; readonly urlSecretArn: string };

/**
 * @param region where the stacks are deployed; only its kind matters here, the stacks themselves fix no region
 * @throws Error that names the missing or wrong value
 */
export function readSettings(scope: Construct, region: string): Settings {
  const inChina = region.startsWith('cn-');
  const optional = (name: string): string | undefined => {
    const value: unknown = scope.node.tryGetContext(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const required = (name: string): string => {
    const value = optional(name);
    if (value === undefined)
      throw new Error(`Set -c ${name}=… (see docs/guides/aws-deployment.md).`);
    return value;
  };
  const oneOf = <Value extends string>(
    name: string,
    values: readonly Value[],
    fallback: Value,
  ): Value => {
    const value = optional(name) ?? fallback;
    const found = values.find((one) => one === value);
    if (found === undefined) throw new Error(`-c ${name}=${value} must be ${values.join(' or ')}.`);
    return found;
  };
  const signIn = oneOf('signIn', ['cognito', 'embedded'], inChina ? 'embedded' : 'cognito');
  const texts = oneOf('texts', ['sns', 'none'], 'none');
  const mailKind = oneOf('mail', ['ses', 'smtp'], inChina ? 'smtp' : 'ses');
  for (const [name, used] of Object.entries({
    'signIn=cognito': signIn === 'cognito',
    'texts=sns': texts === 'sns',
    'mail=ses': mailKind === 'ses',
  })) {
    if (inChina && used) throw new Error(`-c ${name} is not available in ${region}.`);
  }
  const from = required('mailFrom');
  return {
    host: required('host'),
    certificateArn: required('certificate'),
    release: required('release'),
    signIn:
      signIn === 'cognito'
        ? { kind: signIn, smtpUrlSecretArn: required('smtpSecret') }
        : { kind: signIn },
    texts,
    mail:
      mailKind === 'ses'
        ? { kind: 'ses', from }
        : { kind: 'smtp', from, urlSecretArn: required('smtpSecret') },
    analytics: oneOf('analytics', ['athena', 'none'], 'none'),
    runCommand: oneOf('runCommand', ['ssm', 'off'], 'off'),
    devices: oneOf('devices', ['broker', 'iot'], 'broker'),
    runsServers: oneOf('servers', ['on', 'off'], 'on') === 'on',
    alarmsTo: required('alarms'),
  };
}
