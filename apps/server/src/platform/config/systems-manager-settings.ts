import { readS3Location } from './file-location.ts';
import { choice, InvalidValue, optionalUrl, optionalText, type Setting } from './setting.ts';

const group = 'AWS Systems Manager';

const TAG = /^([\w.:/=+@-]{1,128}?)=([\w.:/=+@-]{0,256})$/;
/** Filters of a call (DescribeInstanceInformation). */
const MAX_TAGS = 5;

function tags(): Setting<Readonly<Record<string, string>>> {
  return {
    env: 'DEVICEPORTAL_RUN_COMMAND_TAGS',
    group,
    description:
      'Only managed instances with all of these tags appear as devices, for example `Environment=production,Portal=yes`. The tags become labels of the devices. Default: all managed instances of the region.',
    type: 'Key=Value with commas',
    default: {},
    defaultText: '',
    parse(value) {
      const items = value.split(',').map((item) => TAG.exec(item.trim()));
      const entries = items.map((item) => [item?.[1] ?? '', item?.[2] ?? ''] as const);
      const isDistinct = new Set(entries.map(([key]) => key)).size === entries.length;
      if (items.includes(null) || !isDistinct || entries.length > MAX_TAGS) {
        throw new InvalidValue(`must be 1 to ${MAX_TAGS} tags of the form Key=Value`);
      }
      return Object.fromEntries(entries);
    },
  };
}

const LABEL_KEY = /^[\w.:/=+@-]{1,127}\*?$/;
const MAX_LABEL_KEYS = 50;

function labelKeys(): Setting<readonly string[]> {
  return {
    env: 'DEVICEPORTAL_RUN_COMMAND_LABELS',
    group,
    description:
      'Keys of the tags of EC2 instances and hybrid nodes that become labels of their devices and follow the tags, for example `Team,portal.*`. A key can end with `*`. Labels can limit what users see: let only administrators change these tags. Default: labels are set when a device is created.',
    type: 'keys with commas',
    default: [],
    defaultText: '',
    parse(value) {
      const keys = value.split(',').map((key) => key.trim());
      if (keys.length > MAX_LABEL_KEYS || keys.some((key) => !LABEL_KEY.test(key))) {
        throw new InvalidValue(
          `must be 1 to ${MAX_LABEL_KEYS} keys, each with at most one * at its end`,
        );
      }
      return keys;
    },
  };
}

/** Commands on managed instances, without our agent. */
export const systemsManagerSettings = {
  runCommand: choice(
    {
      env: 'DEVICEPORTAL_RUN_COMMAND',
      group,
      description:
        'Whether managed instances of AWS Systems Manager in `DEVICEPORTAL_REGION` appear as devices, on which commands run by Run Command, without the agent (`ssm`). Set it on all servers. `ssm` requires the package `aws`.',
    },
    ['off', 'ssm'],
    'off',
  ),
  runCommandTags: tags(),
  runCommandLabels: labelKeys(),
  runCommandQueue: optionalUrl(
    {
      env: 'DEVICEPORTAL_RUN_COMMAND_QUEUE',
      group,
      description:
        'URL of the SQS queue to which a rule of EventBridge sends the status changes of commands. Default: the state of open commands is read every 5 seconds.',
    },
    ['http:', 'https:'],
  ),
  runCommandOutput: {
    ...optionalText({
      env: 'DEVICEPORTAL_RUN_COMMAND_OUTPUT',
      group,
      description:
        'Place of complete output, `s3://bucket/prefix`: Systems Manager returns only the first 24,000 characters. The managed instances write to it, and the server reads it. Default: longer output is cut.',
    }),
    type: 's3://bucket/prefix',
    parse(value: string): string {
      if (readS3Location(value) === undefined)
        throw new InvalidValue('must have the form s3://bucket/prefix');
      return value;
    },
  },
  runCommandEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_RUN_COMMAND_ENDPOINT',
      group,
      description: 'Endpoint of Systems Manager. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
};
