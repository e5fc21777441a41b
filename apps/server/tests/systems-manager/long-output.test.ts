import { expect, test } from 'vitest';
import { NEW_AGENT, openRunCommandFixture } from './run-command-fixture.ts';
import { keyOfOutput } from '../../src/systems-manager/key-of-output.ts';

const LINES = 6_000;
const script = `i=0; while [ $i -lt ${LINES} ]; do echo "line $i"; i=$((i+1)); done`;
const instance = { id: 'i-long', isOnline: true, agentVersion: NEW_AGENT };

const whole = Array.from({ length: LINES }, (_, index) => `line ${index}\n`).join('');

test('output beyond the limit of Systems Manager is marked as cut', async () => {
  await using fixture = await openRunCommandFixture([instance]);
  await fixture.sync();
  const deviceId = await fixture.deviceOf('i-long');
  const run = await fixture.runShell([deviceId], script);
  const { state, stdout } = await fixture.ended(run.id, deviceId);
  expect(state).toBe('Success');
  const mark = '\n[output beyond 24000 characters was cut by AWS Systems Manager]\n';
  expect(stdout.text).toBe(whole.slice(0, 24_000) + mark);
});

test('with a bucket, all of the output is read from it', async () => {
  const reads: string[] = [];
  await using fixture = await openRunCommandFixture([instance], {
    output: { bucket: 'outputs', prefix: 'portal' },
    readObject: async (url) => {
      reads.push(keyOfOutput(url, ['portal']));
      return fixture.ssm.objects.get(url) ?? '';
    },
  });
  await fixture.sync();
  const deviceId = await fixture.deviceOf('i-long');
  const run = await fixture.runShell([deviceId], script);
  expect((await fixture.ended(run.id, deviceId)).stdout.text).toBe(whole);
  expect(reads).toHaveLength(1);
});

test.each([
  'https://s3.eu-central-1.amazonaws.com/bucket/own/place/batch/command/stdout',
  'https://bucket.s3.amazonaws.com/own/place/batch/command/stdout',
])('finds the object of complete output at %s', (url) => {
  expect(keyOfOutput(url, ['own', 'place'])).toBe('batch/command/stdout');
});

test('an object outside of the own folder is not read', () => {
  expect(() => keyOfOutput('https://bucket.s3.amazonaws.com/other/x/stdout', ['own'])).toThrow(
    'not an output of this portal',
  );
});
