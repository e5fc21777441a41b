import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '@deviceportal/contract/people';
import type { ErasurePreview } from '@deviceportal/contract/personal-data';
import { createPersonalDataFixture, type PersonalDataFixture } from './personal-data-fixture.ts';

let fixture: PersonalDataFixture;
let number = 0;
let name = '';
let customer: Awaited<ReturnType<PersonalDataFixture['customer']>>;

beforeAll(async () => {
  fixture = await createPersonalDataFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  number += 1;
  name = `Carla Quill${number}`;
  customer = await fixture.customer(name);
});

const reference = () => ({ kind: 'customer' as const, id: customer.id });
const preview = () => fixture.admin.read<ErasurePreview>('personalData.preview', reference());

async function erase(): Promise<void> {
  const { username } = await preview();
  await fixture.erase({ ...reference(), username });
}

test('no row names an erased customer, and devices and cases are kept without the customer', async () => {
  const { admin } = fixture;
  await admin.done('session.remember', { kind: 'person', id: customer.id, label: name });
  const { id } = await admin.done<{ id: string }>('cases.open', {
    ...{ personId: customer.id, about: `${name} cannot sign in` },
  });
  await admin.done('cases.addNote', { id, text: `${name} called again` });
  await admin.done('cases.close', { id, outcome: 'resolved', text: `told ${name}` });
  await erase();
  expect(await fixture.find(`Quill${number}`)).toEqual([]);
  const { rows: devices } = await fixture.pool.query('select owner_id from device where id = $1', [
    customer.deviceId,
  ]);
  expect(devices).toEqual([{ owner_id: null }]);
  expect(await admin.read('cases.get', { id })).toMatchObject({ id, state: 'closed' });
  const { rows } = await fixture.pool.query('select from geolocation where device_id = $1', [
    customer.deviceId,
  ]);
  expect(rows).toEqual([]);
});

test('the forms by which a customer is found are erased with the name', async () => {
  const forms = async () => {
    const { rows } = await fixture.pool.query<{ words: string }>(
      'select words::text from person_search where person_id = $1',
      [customer.id],
    );
    return rows[0]?.words ?? '';
  };
  expect(await forms()).toMatch(new RegExp(`'quill${number}'.*'~KRL'`));
  await erase();
  expect(await forms()).not.toMatch(/quill|carla|~K/);
});

test('a customer with an open case is not erased', async () => {
  const { id } = await fixture.admin.done<{ id: string }>('cases.open', { personId: customer.id });
  expect((await preview()).obstacles).toEqual(['cases-open']);
  await fixture.admin.done('cases.close', { id, outcome: 'resolved' });
  expect((await preview()).obstacles).toEqual([]);
});

test('a customer who is also a user is erased together with the user', async () => {
  const [user] = await fixture.user(`carla-quill-${number}@example.com`, 'Viewer');
  await fixture.pool.query('update person set user_id = $1 where id = $2', [user.id, customer.id]);
  expect(await preview()).toMatchObject({
    linked: [{ kind: 'user', id: user.id }],
    obstacles: ['user-has-not-left'],
  });
  await fixture.leave(user);
  await erase();
  expect(await fixture.find(`carla-quill-${number}@`)).toEqual([]);
  expect(await fixture.find(`Quill${number}`)).toEqual([]);
});

test('an erased customer is shown only with the pseudonym', async () => {
  await erase();
  const person = await fixture.admin.read<Person>('people.get', { id: customer.id });
  expect(person).toMatchObject({
    ...{ email: null, phone: null, country: null, deviceCount: 0 },
    name: expect.stringMatching(/^erased-/),
  });
});
