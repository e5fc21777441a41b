import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import type { AccessFixture } from '../support/access-fixture.ts';
import {
  createPersonalDataFixture,
  type PersonalDataFixture,
} from '../personal-data/personal-data-fixture.ts';

let fixture: PersonalDataFixture;
let victim: UserRow;
let customerId = '';

beforeAll(async () => {
  fixture = await createPersonalDataFixture();
  [victim] = await fixture.user('victim@example.com', 'Viewer');
  await fixture.leave(victim);
  ({ id: customerId } = await fixture.customer('Carla Quill'));
});
afterAll(() => fixture[Symbol.asyncDispose]());

const attempts = (): readonly (readonly [string, object])[] => [
  ['personalData.erase', { kind: 'user', id: victim.id, username: victim.username }],
  ['personalData.erase', { kind: 'customer', id: customerId, username: 'carla.quill' }],
  ['personalData.export', { kind: 'user', id: victim.id }],
  ['personalData.export', { kind: 'customer', id: customerId }],
];

async function expectRefused(setup: AccessFixture): Promise<void> {
  for (const [path, input] of attempts()) expect((await setup.order(path, input)).code).toBe(1000);
  const preview = { kind: 'user', id: victim.id };
  expect((await setup.ask('personalData.preview', preview)).code).toBe(1000);
  expect(await fixture.find('victim@example.com')).not.toEqual([]);
}

test.each(['Viewer', 'Support', 'Operator', 'Auditor'])(
  'a user with the role %s cannot erase a person or export a record',
  async (role) => {
    const [, setup] = await fixture.user(`${role.toLowerCase()}@example.com`, role);
    await expectRefused(setup);
  },
);

test('a user with a limited scope cannot erase a person or export a record', async () => {
  const role = await fixture.admin.createRole(
    'Privacy in Germany',
    ['devices:read', 'people:read', 'people:erase', 'people:export'],
    { countries: ['DE'], models: [], labels: {} },
  );
  const [, setup] = await fixture.user('scoped@example.com', role.name);
  await expectRefused(setup);
});

test('a user cannot erase their own account, or one that is still active', async () => {
  const [working, setup] = await fixture.user('working@example.com', 'Administrator');
  const own = await setup.order('personalData.erase', {
    ...{ kind: 'user', id: working.id, username: working.username },
  });
  expect(own.code).toBe(1000);
  const other = await fixture.admin.order('personalData.erase', {
    ...{ kind: 'user', id: working.id, username: working.username },
  });
  expect(other.code).toBe(2004);
  await setup.session();
});

test('two concurrent requests erase a person once', async () => {
  const input = { kind: 'user', id: victim.id, username: victim.username };
  const answers = await Promise.all([
    fixture.admin.order('personalData.erase', input),
    fixture.admin.order('personalData.erase', input),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await fixture.admin.trail('people.erased')).toHaveLength(1);
});
