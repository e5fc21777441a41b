import { given, givenInChina } from './synthesize.ts';

/** What operators deploy, each in a region that has it. */
export const variants = [
  {
    name: 'AWS',
    region: 'eu-central-1',
    context: { ...given, texts: 'sns', runCommand: 'ssm', analytics: 'athena' },
  },
  {
    name: 'AWS with the pool of the portal',
    region: 'us-east-1',
    context: { ...given, signIn: 'embedded' },
  },
  { name: 'AWS China', region: 'cn-north-1', context: { ...givenInChina, analytics: 'athena' } },
];
