import { personLabel, type NamedPerson } from '@deviceportal/contract/people';
import type { PortalClient } from './portal-client.ts';
import type { SerialDevice } from './fleet.ts';

export interface Customer {
  readonly id: string;
  readonly name: string;
  /** The name as in actions, with a second fact. */
  readonly label: string;
  readonly phone: string;
  readonly device: SerialDevice;
}

/**
 * A person with a phone number and a healthy device, without an open case. Each person is returned
 * once.
 */
export async function takeCustomer(
  support: PortalClient,
  take: () => SerialDevice | Promise<SerialDevice>,
): Promise<Customer> {
  for (;;) {
    const device = await take();
    if (device.owner === null) continue;
    const { id, name } = device.owner;
    const open = await support.ask<{ rows: unknown[] }>('cases.list', {
      personId: id,
      state: 'open',
    });
    const person = await support.ask<NamedPerson>('people.get', { id });
    const { phone } = person;
    if (phone && open.rows.length === 0) {
      return { id, name, label: personLabel(person), phone, device };
    }
  }
}
