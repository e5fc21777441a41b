import { UPLOADS_AT_ONCE } from '@deviceportal/contract/device-limits';
import { overBudget } from '../../platform/call-budget/over-budget.ts';
import { Slots } from '../../platform/call-budget/slots.ts';

const MAX_WAIT_MS = 30_000;
const MAX_WAITING = 100;
const RETRY_AFTER_MS = 2_000;

interface Device {
  readonly slots: Slots;
  uploads: number;
}

/** Limits concurrent uploads in this process. A waiting upload is not read, so the device is slowed down. */
export class UploadSlots {
  readonly #all = new Slots(UPLOADS_AT_ONCE.inAll);
  readonly #devices = new Map<string, Device>();

  /** @throws PortalError 2000 if no slot became free in time; the device retries */
  async run<Result>(deviceId: string, upload: () => Promise<Result>): Promise<Result> {
    const device = this.#devices.get(deviceId) ?? { slots: newSlots(), uploads: 0 };
    this.#devices.set(deviceId, device);
    device.uploads += 1;
    try {
      return await within(device.slots, () => within(this.#all, upload));
    } finally {
      device.uploads -= 1;
      if (device.uploads === 0) this.#devices.delete(deviceId);
    }
  }
}

const newSlots = (): Slots => new Slots(UPLOADS_AT_ONCE.perDevice, MAX_WAITING);

async function within<Result>(slots: Slots, work: () => Promise<Result>): Promise<Result> {
  if (!(await slots.take(MAX_WAIT_MS))) {
    throw overBudget(RETRY_AFTER_MS);
  }
  try {
    return await work();
  } finally {
    slots.give();
  }
}
