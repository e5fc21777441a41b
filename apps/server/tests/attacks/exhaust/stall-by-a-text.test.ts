import { afterAll, beforeAll, expect, test } from 'vitest';
import { longestTurnDuring } from '../longest-turn-during.ts';
import { mutate, query } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const LONGEST_TURN_MS = 200;

let portal: TestServer;
let viewer: string;
let operator: string;

beforeAll(async () => {
  portal = await startTestServer();
  viewer = await portal.signIn('viewer');
  operator = await portal.signIn('operator');
  // Its code is compiled by the first calls, which is not what an attacker causes.
  const content = documentWith('', `runCommand: { ${listOf(1_000, key)} }`);
  await mutate(portal.url, { path: 'documents.validate', input: { content }, token: viewer });
});
afterAll(() => portal[Symbol.asyncDispose]());

const listOf = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(',');
const key = (index: number): string => index.toString(36);
const documentWith = (parameters: string, inputs: string): string =>
  `schemaVersion: '2.2'\nparameters: { ${parameters} }\nmainSteps:\n- { action: 'aws:runShellScript', name: a, inputs: { ${inputs} } }\n`;

const texts: Readonly<Record<string, string>> = {
  'a map of 9,500 keys': `{${listOf(9_500, key)}}`,
  'a map of 20,000 keys': `{${listOf(20_000, () => 'a')}}`,
  '4,900 inputs that no step has': documentWith(
    '',
    `runCommand: x, ${listOf(4_900, (index) => `${key(index)}: `)}`,
  ),
  'a list of 4,900 texts that are none of 4,900 values': documentWith(
    `p: { type: StringList, allowedValues: [${listOf(4_900, key)}], default: [${listOf(4_900, () => '""')}] }`,
    'runCommand: x',
  ),
};

test.each(Object.keys(texts))('a viewer cannot stall the server with %s', async (what) => {
  const content = texts[what] ?? '';
  const call = { path: 'documents.validate', input: { content }, token: viewer };
  const [answer, longestMs] = await longestTurnDuring(() => mutate(portal.url, call));
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body).length).toBeLessThan(200_000);
  expect(longestMs).toBeLessThan(LONGEST_TURN_MS);
});

const many = (count: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`!${key(index)}`, value]));
const deviceId = '01930000-0000-7000-8000-00000000d001';
const run = {
  command: 'config/set',
  target: { kind: 'devices', deviceIds: [deviceId] },
  idempotencyKey: deviceId,
};

test.each([
  ['50,000 labels', 'devices.update', { id: deviceId, labels: many(50_000, '') }],
  ['60,000 unknown parameters', 'commands.run', { ...run, parameters: many(60_000, 1) }],
  ['60,000 wrong states', 'commands.listInvocations', { states: Array(60_000).fill('x') }],
])('a user cannot block the server by the validation of %s', async (_what, path, input) => {
  const call = { path, input, token: operator };
  const ask = path.includes('list') ? query : mutate;
  const [answer, longestMs] = await longestTurnDuring(() => ask(portal.url, call));
  expect(answer.code).toBe(2004);
  expect(answer.issues.length).toBeGreaterThan(0);
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  expect(longestMs).toBeLessThan(LONGEST_TURN_MS);
});

test('the errors in a text are still reported', async () => {
  const found = async (content: string) => {
    const call = { path: 'documents.validate', input: { content }, token: viewer };
    return (await mutate(portal.url, call)).data as { problems: readonly object[] };
  };
  const twice = documentWith('', 'runCommand: x').replace('{ action', '{ name: b, action');
  expect((await found(twice)).problems).toMatchObject([
    { line: 4, column: 44, message: 'Map keys must be unique' },
  ]);
  const values = listOf(25, key);
  const parameter = `p: { type: String, allowedValues: [${values}], default: none }`;
  expect((await found(documentWith(parameter, 'runCommand: x'))).problems).toMatchObject([
    { message: 'must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, a, b, c, d, e, f, g, h, i, j, …' },
  ]);
});
