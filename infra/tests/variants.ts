import { given, givenInChina } from './synthesize.ts';

/** What operators deploy, each in a region that has it. */
export const variants = [
  {
    name: 'AWS',
    region: 'eu-central-1',
    context: { ...given, texts: 'sns', runCommand: 'ssm', analytics: 'athena' },
  },
  {
    name: 'AWS with the pool of the portal and devices at IoT Core',
    region: 'us-east-1',
    context: { ...given, signIn: 'embedded', devices: 'iot' },
  },
  { name: 'AWS China', region: 'cn-north-1', context: { ...givenInChina, analytics: 'athena' } },
  {
    name: 'AWS China with devices at IoT Core',
    region: 'cn-north-1',
    context: { ...givenInChina, devices: 'iot' },
  },
];
