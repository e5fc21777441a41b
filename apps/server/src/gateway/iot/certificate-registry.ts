import {
  deleteRegistered,
  findWithCertificate,
  insertRegistered,
  lockDiverging,
  lockRemovable,
  setRegisteredActive,
} from '../../devices/data/connections/registered-certificates.ts';
import type { IotDevices } from '../../platform/aws/aws-package.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import type {
  CertificateSubject,
  IssuedCertificate,
} from '../certificates/certificate-authority.ts';

export interface CertificateRegistryOptions {
  readonly database: Database;
  readonly devices: Omit<IotDevices, 'describe'>;
  /** The policy of every certificate. */
  readonly policy: string;
}

/** Maximum number of concurrent calls to AWS, which allows 10 per second. */
const AT_ONCE = 10;

/**
 * Certificates at AWS IoT: those of devices that may connect are active, and no others. The database is authoritative,
 * so the next round repeats calls that failed or that a stopped server did not make.
 */
export class CertificateRegistry {
  readonly #options: CertificateRegistryOptions;

  constructor(options: CertificateRegistryOptions) {
    this.#options = options;
  }

  /**
   * Registers a certificate before the device gets it. It is registered without its authority: AWS IoT then accepts only
   * those that were registered here, so that a stolen key of the authority connects nothing, and a rotation of the
   * authority needs no preparation there. If the transaction then fails, the certificate is not issued.
   *
   * @param tx in which the certificate is issued
   * @throws Error if AWS IoT cannot be reached
   */
  async register(
    tx: Transaction,
    issued: IssuedCertificate,
    { deviceId, instanceId }: Pick<CertificateSubject, 'deviceId' | 'instanceId'>,
  ): Promise<void> {
    const { devices, policy } = this.#options;
    const { fingerprint, startsAt, endsAt, certificate } = issued;
    await insertRegistered(tx, { fingerprint, deviceId, instanceId, startsAt, endsAt });
    const id = await devices.register({ deviceId, certificate, policy });
    if (id !== fingerprint) {
      throw new Error(`AWS IoT registered certificate ${fingerprint} with the ID ${id}`);
    }
  }

  /**
   * Activates and deactivates certificates until AWS IoT accepts exactly those that it should.
   *
   * @param deviceIds null for all devices
   * @throws Error of a call that failed
   */
  async settle(deviceIds: readonly string[] | null): Promise<void> {
    if (deviceIds?.length === 0) return;
    let changed = AT_ONCE;
    while (changed === AT_ONCE) changed = await this.#settleSome(deviceIds);
  }

  /**
   * Deletes certificates that are never accepted again, and the things of retired devices. Call after `settle`, when their
   * connections have ended.
   *
   * @param deviceIds null for all devices
   * @throws Error of a call that failed
   */
  async remove(deviceIds: readonly string[] | null): Promise<void> {
    if (deviceIds?.length === 0) return;
    let removed = AT_ONCE;
    while (removed === AT_ONCE) removed = await this.#removeSome(deviceIds);
  }

  #removeSome(deviceIds: readonly string[] | null): Promise<number> {
    const { database, devices } = this.#options;
    return inTransaction(database, async (tx) => {
      const rows = await lockRemovable(tx, deviceIds, AT_ONCE);
      await Promise.all(
        rows.map(({ deviceId, fingerprint }) =>
          devices.deleteCertificate({ deviceId, certificateId: fingerprint }),
        ),
      );
      await deleteRegistered(
        tx,
        rows.map(({ fingerprint }) => fingerprint),
      );
      const retired = rows.filter(({ isRetired }) => isRetired).map(({ deviceId }) => deviceId);
      const others = await findWithCertificate(tx, retired);
      const bare = [...new Set(retired)].filter((deviceId) => !others.has(deviceId));
      await Promise.all(bare.map((deviceId) => devices.deleteThing(deviceId)));
      return rows.length;
    });
  }

  #settleSome(deviceIds: readonly string[] | null): Promise<number> {
    const { database, devices } = this.#options;
    return inTransaction(database, async (tx) => {
      const rows = await lockDiverging(tx, deviceIds, AT_ONCE);
      await Promise.all(
        rows.map(({ fingerprint, isWanted }) => devices.setActive(fingerprint, isWanted)),
      );
      for (const active of [true, false]) {
        const settled = rows.filter(({ isWanted }) => isWanted === active);
        await setRegisteredActive(
          tx,
          settled.map(({ fingerprint }) => fingerprint),
          active,
        );
      }
      return rows.length;
    });
  }
}
