import type { PortalClient } from './portal-client.ts';
import type { SerialDevice } from './fleet.ts';

export interface Customer {
  readonly id: string;
  readonly name: string;
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
    const { phone } = await support.ask<{ phone: string | null }>('people.get', { id });
    if (phone !== null && open.rows.length === 0) return { id, name, phone, device };
  }
}
