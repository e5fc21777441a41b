import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import type { AccessDesk } from '../support/access-desk.ts';
import {
  createPersonalDataWorld,
  type PersonalDataWorld,
} from '../personal-data/personal-data-world.ts';

let world: PersonalDataWorld;
let victim: UserRow;
let customerId = '';

beforeAll(async () => {
  world = await createPersonalDataWorld();
  [victim] = await world.user('victim@example.com', 'Viewer');
  await world.leave(victim);
  ({ id: customerId } = await world.customer('Carla Quill'));
});
afterAll(() => world[Symbol.asyncDispose]());

const attempts = (): readonly (readonly [string, object])[] => [
  ['personalData.erase', { kind: 'user', id: victim.id, username: victim.username }],
  ['personalData.erase', { kind: 'customer', id: customerId, username: 'carla.quill' }],
  ['personalData.export', { kind: 'user', id: victim.id }],
  ['personalData.export', { kind: 'customer', id: customerId }],
];

async function expectRefused(desk: AccessDesk): Promise<void> {
  for (const [path, input] of attempts()) expect((await desk.order(path, input)).code).toBe(1000);
  const preview = { kind: 'user', id: victim.id };
  expect((await desk.ask('personalData.preview', preview)).code).toBe(1000);
  expect(await world.find('victim@example.com')).not.toEqual([]);
}

test.each(['Viewer', 'Support', 'Operator', 'Auditor'])(
  'a user with the role %s cannot erase a person or export a record',
  async (role) => {
    const [, desk] = await world.user(`${role.toLowerCase()}@example.com`, role);
    await expectRefused(desk);
  },
);

test('a user with a limited scope cannot erase a person or export a record', async () => {
  const role = await world.admin.createRole(
    'Privacy in Germany',
    ['devices:read', 'people:read', 'people:erase', 'people:export'],
    { countries: ['DE'], models: [], labels: {} },
  );
  const [, desk] = await world.user('scoped@example.com', role.name);
  await expectRefused(desk);
});

test('a user does not erase their own account, nor one that still works', async () => {
  const [working, desk] = await world.user('working@example.com', 'Administrator');
  const own = await desk.order('personalData.erase', {
    ...{ kind: 'user', id: working.id, username: working.username },
  });
  expect(own.code).toBe(1000);
  const other = await world.admin.order('personalData.erase', {
    ...{ kind: 'user', id: working.id, username: working.username },
  });
  expect(other.code).toBe(2004);
  await desk.session();
});

test('two at once erase a person once', async () => {
  const input = { kind: 'user', id: victim.id, username: victim.username };
  const answers = await Promise.all([
    world.admin.order('personalData.erase', input),
    world.admin.order('personalData.erase', input),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await world.admin.trail('people.erased')).toHaveLength(1);
});
