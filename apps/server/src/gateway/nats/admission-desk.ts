import type { Admission, DeviceTransportHandlers } from '../device-transport.ts';
import type { GatewayLogger } from '../gateway-logger.ts';
import { MicroBatcher } from '../micro-batcher.ts';
import {
  admissionToken,
  readAdmissionRequest,
  refusalToken,
  type AdmissionRequest,
} from './admission-tokens.ts';
import type { NatsSigner } from './nats-keys.ts';

export interface AdmissionDeskOptions {
  /** Signs the answers: the issuer in the configuration of NATS. */
  readonly signer: NatsSigner;
  readonly maxMessageBytes: number;
  readonly handlers: () => Pick<DeviceTransportHandlers, 'admit' | 'refused'> | undefined;
  readonly logger: GatewayLogger;
}

interface Waiting {
  readonly device: NonNullable<AdmissionRequest['device']>;
  admission: Admission;
}

const BATCH_MS = 2;
const MOST_AT_ONCE = 500;

/** Answers NATS, which asks about every connection that is not in its configuration (auth callout). */
export class AdmissionDesk implements AsyncDisposable {
  readonly #options: AdmissionDeskOptions;
  readonly #batcher: MicroBatcher<Waiting>;

  constructor(options: AdmissionDeskOptions) {
    this.#options = options;
    this.#batcher = new MicroBatcher({
      waitMs: BATCH_MS,
      maxItems: MOST_AT_ONCE,
      handle: (waiting) => this.#decide(waiting),
    });
  }

  /**
   * @param token the request of a server of NATS
   * @returns the answer; undefined if no server of NATS has asked
   */
  async answer(token: string): Promise<string | undefined> {
    const { signer, logger, maxMessageBytes } = this.#options;
    let request: AdmissionRequest;
    try {
      request = readAdmissionRequest(token, new Date());
    } catch (error) {
      logger.warn({ err: error }, 'authorization request not from a NATS server; not answered');
      return undefined;
    }
    const { device } = request;
    if (device === undefined) return refusalToken(signer, request, 'no device certificate');
    if (request.clientId !== device.deviceId) {
      const { deviceId, address } = device;
      this.#options.handlers()?.refused([{ deviceId, address, reason: 'wrong-client-id' }]);
      return refusalToken(signer, request, 'wrong client ID');
    }
    const waiting: Waiting = { device, admission: 'later' };
    await this.#batcher.add(waiting);
    return waiting.admission === 'admitted'
      ? admissionToken(signer, request, device, maxMessageBytes)
      : refusalToken(signer, request, waiting.admission);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batcher[Symbol.asyncDispose]();
  }

  async #decide(waiting: readonly Waiting[]): Promise<void> {
    try {
      const allowed = await this.#options.handlers()?.admit(waiting.map(({ device }) => device));
      waiting.forEach((each, index) => {
        each.admission = allowed?.[index] === true ? 'admitted' : allowed ? 'refused' : 'later';
      });
    } catch (error) {
      // No device is admitted while it cannot be checked; it will reconnect.
      this.#options.logger.warn({ err: error }, 'devices could not be checked');
    }
  }
}
