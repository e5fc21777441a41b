/** Federated sign-in information in browser storage. The secret key stays in memory. */
export interface FederatedInfo {
  readonly provider: string;
  readonly subject: string;
  readonly identityId: string;
  readonly tokenExpiresAtMs: number;
}

export type InfoStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const FEDERATED_KEY = 'deviceportal.federated';
const GUEST_KEY = 'deviceportal.guest';

export interface FederatedInfoStore {
  federated(): FederatedInfo | undefined;
  keepFederated(info: FederatedInfo): void;
  forgetFederated(): void;
  /** The identity of this browser as a guest, until it is exchanged. */
  guest(): string | undefined;
  keepGuest(identityId: string): void;
  forgetGuest(): void;
}

export function createFederatedInfoStore(storage: InfoStorage): FederatedInfoStore {
  return {
    federated() {
      try {
        const stored = JSON.parse(storage.getItem(FEDERATED_KEY) ?? 'null') as FederatedInfo | null;
        return stored ?? undefined;
      } catch {
        return undefined;
      }
    },
    keepFederated: (info) => storage.setItem(FEDERATED_KEY, JSON.stringify(info)),
    forgetFederated: () => storage.removeItem(FEDERATED_KEY),
    guest: () => storage.getItem(GUEST_KEY) ?? undefined,
    keepGuest: (identityId) => storage.setItem(GUEST_KEY, identityId),
    forgetGuest: () => storage.removeItem(GUEST_KEY),
  };
}
