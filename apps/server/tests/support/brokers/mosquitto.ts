import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { until } from '../gateway-fixture.ts';
import { isListening } from '../is-listening.ts';
import { findFreePort } from '../../../src/platform/http/find-free-port.ts';
import { createGatewayCertificate } from './create-gateway-certificate.ts';

// Debian does not install it in the path of ordinary users.
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

export const hasMosquitto = spawnSync('mosquitto', ['-h'], { env: { PATH } }).error === undefined;

/** Settings of the portal for this broker (docs/guides/device-transport.md). */
export interface GatewayAccess {
  readonly url: string;
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Mosquitto as configured by the guide, started immediately. */
export class Mosquitto implements AsyncDisposable {
  readonly access: GatewayAccess;
  readonly #configFile: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(options: { access: GatewayAccess; configFile: string; port: number }) {
    this.access = options.access;
    this.#configFile = options.configFile;
    this.#port = options.port;
  }

  /**
   * @param options.directory for its files
   * @param options.persistence configuration lines for persistence; default: none
   * @param options.settings further configuration lines
   */
  static async start(options: {
    readonly directory: string;
    readonly authority: CertificateAuthority;
    readonly persistence?: readonly string[];
    readonly settings?: readonly string[];
  }): Promise<Mosquitto> {
    const port = await findFreePort('127.0.0.1');
    const { configFile, access } = await writeFiles({
      persistence: [],
      settings: [],
      ...options,
      port,
    });
    const broker = new Mosquitto({ access, configFile, port });
    await broker.#launch();
    return broker;
  }

  /** kill -9: no will of its clients is published. */
  kill(): Promise<void> {
    return this.#end();
  }

  /** Reads its list of revoked certificates again. */
  reload(): void {
    this.#child?.kill('SIGHUP');
  }

  /** kill -9, and a restart on the same files. */
  async killAndStart(): Promise<void> {
    await this.#end();
    await this.#launch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #launch(): Promise<void> {
    const child = spawn('mosquitto', ['-c', this.#configFile], { stdio: 'ignore', env: { PATH } });
    this.#child = child;
    await until(() => {
      if (child.exitCode !== null) throw new Error(`mosquitto ended with code ${child.exitCode}`);
      return isListening(this.#port);
    });
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

async function writeFiles(options: {
  readonly directory: string;
  readonly authority: CertificateAuthority;
  readonly persistence: readonly string[];
  readonly settings: readonly string[];
  readonly port: number;
}): Promise<{ configFile: string; access: GatewayAccess }> {
  const { directory, authority, persistence, port } = options;
  const others = options.settings;
  const gateway = await createGatewayCertificate(authority);
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  const caFile = await write('authority.crt', authority.authorities);
  const settings = [
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    `listener ${port} 127.0.0.1`,
    `cafile ${caFile}`,
    `certfile ${await write('broker.crt', authority.server.certificate)}`,
    `keyfile ${await write('broker.key', authority.server.key)}`,
    'require_certificate true',
    'use_identity_as_username true',
    'allow_anonymous false',
    `acl_file ${await write('acl', RIGHTS)}`,
    'message_size_limit 131072',
    ...persistence,
    ...others,
  ];
  return {
    configFile: await write('mosquitto.conf', `${settings.join('\n')}\n`),
    access: {
      url: `mqtts://localhost:${port}`,
      caFile,
      certificateFile: await write('gateway.crt', gateway.certificate),
      keyFile: await write('gateway.key', gateway.key),
    },
  };
}

const RIGHTS = `user deviceportal-gateway
topic read deviceportal/devices/+/up/+
topic write deviceportal/devices/+/down/+
topic read $SYS/broker/log/N

pattern write deviceportal/devices/%u/up/+
pattern read deviceportal/devices/%u/down/+
`;
