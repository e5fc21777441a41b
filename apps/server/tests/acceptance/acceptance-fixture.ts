import { randomUUID } from 'node:crypto';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import type { RunDetail } from '@deviceportal/contract/runs';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { until } from '../support/gateway-fixture.ts';
import type { ApiAnswer } from '../support/portal-api.ts';
import type { PortalPerson } from '../support/portal-person.ts';

const LIMIT_MS = 30_000;

/** A command as sent by a support engineer. */
export interface Order {
  readonly deviceId: string;
  readonly command: string;
  /** For the command `document`: its name. */
  readonly document?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Text typed to confirm a destructive command. */
  readonly confirmation?: string;
}

/** Commands and devices, through the product API. */
export class AcceptanceFixture {
  readonly #person: PortalPerson;

  constructor(person: PortalPerson) {
    this.#person = person;
  }

  order({ deviceId, ...order }: Order): Promise<ApiAnswer> {
    return this.#person.order('commands.run', {
      ...order,
      target: { kind: 'devices', deviceIds: [deviceId] },
      idempotencyKey: randomUUID(),
    });
  }

  /** Resolves with the invocation's id. */
  async send(order: Order): Promise<string> {
    const { id } = dataOf<{ id: string }>(await this.order(order));
    return until(
      async () => dataOf<RunDetail>(await this.#person.ask('commands.getRun', { id })).invocationId,
    );
  }

  /** Resolves when the command has ended. */
  async run(order: Order): Promise<InvocationDetail> {
    const id = await this.send(order);
    return this.untilInvocation(id, ({ endedAt }) => endedAt !== null);
  }

  untilInvocation(
    id: string,
    isIt: (invocation: InvocationDetail) => boolean,
  ): Promise<InvocationDetail> {
    return until(async () => {
      const invocation = dataOf<InvocationDetail>(
        await this.#person.ask('commands.getInvocation', { id }),
      );
      return isIt(invocation) && invocation;
    }, LIMIT_MS);
  }

  /** Undoes a run on one device; resolves when the undo has ended. */
  async undo(reference: {
    readonly runId: string;
    readonly deviceId: string;
  }): Promise<InvocationDetail> {
    const order = { ...reference, idempotencyKey: randomUUID() };
    const run = dataOf<RunDetail>(await this.#person.order('commands.undo', order));
    return this.untilInvocation(run.invocationId ?? '', ({ endedAt }) => endedAt !== null);
  }

  async cancel(id: string): Promise<void> {
    dataOf(await this.#person.order('commands.cancelInvocation', { id }));
  }

  untilDevice(deviceId: string, isIt: (device: DeviceDetail) => boolean): Promise<DeviceDetail> {
    return until(async () => {
      const device = dataOf<DeviceDetail>(
        await this.#person.ask('devices.get', { device: deviceId }),
      );
      return isIt(device) && device;
    }, LIMIT_MS);
  }
}

export function dataOf<Data>(answer: ApiAnswer): Data {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.data as Data;
}
