import type { IdentityClient } from '../core/identity-client.ts';
import { baseUrl } from '../core/base-url.ts';
import type { IdentityClientOptions } from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import {
  listMyDevices,
  registerDevice,
  revokeDeviceSession,
  unbindDevice,
  type SignedInDevice,
} from '../devices/device-calls.ts';
import { getDeviceFingerprint, type DeviceFingerprint } from '../devices/device-fingerprint.ts';
import { createEventChannel, type EventChannel } from '../events/event-channel.ts';
import {
  getRealName,
  proveRealName,
  type EnterpriseProof,
  type PersonProof,
  type RealName,
} from '../real-name/real-name.ts';
import { invalidArgument } from '../protocols/token-endpoint.ts';
import { shellClient, sharedOptions, type RequestSender } from './shell-client.ts';

/** The base URL of all calls: `baseClient` of the main client. */
export class BaseAuthenticationClient {
  readonly options: IdentityClientOptions;

  constructor(options: IdentityClientOptions) {
    this.options = options;
  }

  get appHost(): string {
    return baseUrl(sharedOptions(this.options));
  }
}

/** Real-name verification: `principal` of the main client. */
export class PrincipalAuthenticationClient {
  readonly #client: IdentityClient;

  constructor(
    options: IdentityClientOptions,
    tokenProvider: SessionStore,
    httpClient?: RequestSender,
  ) {
    this.#client = shellClient(options, tokenProvider, httpClient);
  }

  detail(): Promise<RealName | null> {
    return getRealName(this.#client);
  }

  authenticate(info: PersonProof | EnterpriseProof): Promise<boolean> {
    return proveRealName(this.#client, info);
  }
}

/** Real-time events: `event` of the main client. */
export class EventAuthenticationClient {
  readonly #client: IdentityClient;
  readonly #channel: EventChannel;

  constructor(
    options: IdentityClientOptions,
    tokenProvider: SessionStore,
    httpClient?: RequestSender,
  ) {
    this.#client = shellClient(options, tokenProvider, httpClient);
    this.#channel = createEventChannel(this.#client);
  }

  /** @returns a function that ends the subscription */
  sub(
    eventName: string,
    callback: (data: string) => void,
    errCallback?: (message: string) => void,
  ): () => void {
    if (typeof eventName === 'string' && typeof callback !== 'function') {
      throw invalidArgument(this.#client, '回调必须为函数', 'The callback must be a function');
    }
    return this.#channel.subscribe(eventName, {
      onMessage: callback,
      onError: ({ message }) => errCallback?.(message),
    });
  }

  pub(eventName: string, data: string): Promise<unknown> {
    return this.#channel.publish(eventName, data);
  }
}

/** Devices and browser fingerprints: `browserFingerprint` of the main client. */
export class BrowserFingerprintClient {
  readonly #client: IdentityClient;

  constructor(
    options: IdentityClientOptions,
    httpClient?: RequestSender,
    tokenProvider?: SessionStore,
  ) {
    this.#client = shellClient(options, tokenProvider, httpClient);
  }

  getBrowserFingers(): Promise<DeviceFingerprint> {
    return getDeviceFingerprint(this.#client);
  }

  getDeviceInfo(): Promise<DeviceFingerprint> {
    return getDeviceFingerprint(this.#client);
  }

  createDevice(): Promise<boolean> {
    return registerDevice(this.#client);
  }

  myDevicesList(): Promise<readonly SignedInDevice[]> {
    return listMyDevices(this.#client);
  }

  myDevicesUnbind(deviceId: string): Promise<boolean> {
    return unbindDevice(this.#client, deviceId);
  }

  myDevicesLogout(deviceId: string): Promise<boolean> {
    return revokeDeviceSession(this.#client, deviceId);
  }
}
