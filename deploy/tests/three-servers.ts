import { chmod, copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createInfrastructureCertificate } from '../../apps/server/tests/support/brokers/infrastructure-certificate.ts';
import { createTwoRoleDatabase } from '../../apps/server/tests/support/database/two-role-database.ts';
import { until } from '../../apps/server/tests/support/until.ts';
import { isListening } from '../../apps/server/tests/support/is-listening.ts';
import { startMailServer, type MailServer } from '../../apps/server/tests/support/mail-server.ts';
import { Program } from '../../apps/server/tests/support/programs/portal-programs.ts';
import { startVersitygw } from '../../packages/aws/tests/parts/start-versitygw.ts';
import { BalancedClient } from './balanced-client.ts';
import { findLoopbackPorts, serverNames, type LoopbackPorts, type ServerName } from './loopback.ts';
import { deployDir, readUnit } from './unit-file.ts';

const START_LIMIT_MS = 60_000;

/** The three servers of `deploy`, with everything around them, as programs of this machine. */
export class ThreeServers implements AsyncDisposable {
  readonly ports: LoopbackPorts;
  readonly mails: MailServer['mails'];
  readonly servers: Readonly<Record<ServerName, Program>>;
  readonly client: BalancedClient;
  /** Readable for the programs, and deleted with them. */
  readonly folder: string;
  /** Replaces addresses and paths of other machines; only settings that the shipped files have. */
  readonly #here: Readonly<Record<string, string>>;
  readonly #resources: AsyncDisposableStack;

  private constructor(options: {
    readonly folder: string;
    readonly ports: LoopbackPorts;
    readonly mails: MailServer['mails'];
    readonly here: Readonly<Record<string, string>>;
    readonly authority: string;
    readonly resources: AsyncDisposableStack;
  }) {
    this.ports = options.ports;
    this.mails = options.mails;
    this.folder = options.folder;
    this.#here = options.here;
    this.#resources = options.resources;
    this.servers = {
      one: new Program(readUnit('deviceportal@.service', 'one').command),
      two: new Program(readUnit('deviceportal@.service', 'two').command),
      three: new Program(readUnit('deviceportal@.service', 'three').command),
    };
    for (const name of serverNames) this.#resources.use(this.servers[name]);
    this.client = new BalancedClient(`https://localhost:${this.ports.portal}`, options.authority);
  }

  /** An empty database, a mail server, a store of files, and certificates. Nothing of the portal runs. */
  static async prepare(): Promise<ThreeServers> {
    await using starting = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'dp-deploy-'));
    // Mosquitto reads its files as another user.
    await chmod(folder, 0o755);
    starting.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const database = starting.use(await createTwoRoleDatabase());
    const mailServer = starting.use(await startMailServer());
    const files = starting.use(await startVersitygw('deviceportal'));
    const ports = await findLoopbackPorts();
    const broker = join(folder, 'broker');
    createInfrastructureCertificate(broker, 'deviceportal-gateway');
    createInfrastructureCertificate(join(folder, 'balancer'), 'portal', 'localhost');
    return new ThreeServers({
      folder,
      ports,
      mails: mailServer.mails,
      authority: await readFile(join(folder, 'balancer/authority.crt'), 'utf8'),
      here: {
        DEVICEPORTAL_PUBLIC_URL: `https://localhost:${ports.portal}`,
        DEVICEPORTAL_TRUST_PROXY: '127.0.0.1',
        DEVICEPORTAL_HOST: '127.0.0.1',
        DEVICEPORTAL_DATABASE_URL: database.runtimeUrl,
        DEVICEPORTAL_DATABASE_OWNER_URL: database.ownerUrl,
        DEVICEPORTAL_MQTT_URL: `mqtts://localhost:${ports.devices}`,
        DEVICEPORTAL_MQTT_CA_FILE: join(broker, 'authorities.crt'),
        DEVICEPORTAL_MQTT_CERTIFICATE_FILE: join(broker, 'deviceportal-gateway.crt'),
        DEVICEPORTAL_MQTT_KEY_FILE: join(broker, 'deviceportal-gateway.key'),
        DEVICEPORTAL_FILES_ENDPOINT: files.endpoint,
        AWS_ACCESS_KEY_ID: files.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: files.credentials.secretAccessKey,
        DEVICEPORTAL_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      },
      resources: starting.move(),
    });
  }

  /** The URL of the load balancer. */
  get url(): string {
    return this.#here['DEVICEPORTAL_PUBLIC_URL'] ?? '';
  }

  /** As the servers use it, without rights of the owner. */
  get databaseUrl(): string {
    return this.#here['DEVICEPORTAL_DATABASE_URL'] ?? '';
  }

  /** The certificate that clients of the load balancer have to trust. */
  get authorityFile(): string {
    return join(this.folder, 'balancer/authority.crt');
  }

  /** `deviceportal-migrate.service`. */
  async migrate(): Promise<void> {
    const unit = readUnit('deviceportal-migrate.service');
    await this.#run(unit.command, this.#onThisMachine(unit.environment, 'migrate'));
  }

  /** `deviceportal-command one …`. */
  async command(name: string, ...words: readonly string[]): Promise<void> {
    const { environment } = readUnit('deviceportal@.service', 'one');
    const [node = '', migrate = ''] = readUnit('deviceportal-migrate.service').command;
    const program = migrate.replace(/migrate(?=-command\.ts$)/, name);
    await this.#run([node, program, ...words], this.#onThisMachine(environment, 'one'));
  }

  /** The unit of a server, not ready yet. */
  start(name: ServerName): void {
    const { environment } = readUnit('deviceportal@.service', name);
    this.servers[name].start({
      ...this.#onThisMachine(environment, name),
      DEVICEPORTAL_PORT: String(this.ports.servers[name]),
    });
  }

  async untilReady(name: ServerName): Promise<void> {
    const url = `http://localhost:${this.ports.servers[name]}/readyz`;
    await until(async () => {
      const program = this.servers[name];
      if (!program.runs) throw new Error(`server ${name} ended:\n${program.output}`);
      return (await fetch(url).catch(() => undefined))?.ok;
    }, START_LIMIT_MS);
  }

  /** The second step of the guide: the secrets of the first server, on every other one. */
  async copySecrets(): Promise<void> {
    for (const name of ['two', 'three']) {
      for (const part of ['keys', 'certificates']) {
        await cp(join(this.#dataDir('one'), part), join(this.#dataDir(name), part), {
          recursive: true,
        });
      }
    }
  }

  /** Mosquitto with the certificates of the portal. */
  async startBroker(): Promise<void> {
    const broker = join(this.folder, 'broker');
    const certificates = join(this.#dataDir('one'), 'certificates');
    const authorities = [
      join(certificates, 'device-authorities.crt'),
      join(broker, 'authority.crt'),
    ];
    const texts = await Promise.all(authorities.map((path) => readFile(path, 'utf8')));
    await writeFile(join(broker, 'authorities.crt'), texts.join(''));
    await copyFile(join(certificates, 'server.pem'), join(broker, 'server.pem'));
    await copyFile(join(deployDir, 'broker/acl'), join(broker, 'acl'));
    const shipped = await readFile(join(deployDir, 'broker/mosquitto.conf'), 'utf8');
    const config = [
      ...(process.getuid?.() === 0 ? ['user root'] : []),
      shipped
        .replaceAll('/etc/deviceportal/broker', broker)
        .replace('listener 8883', `listener ${this.ports.broker} 127.0.0.1`),
    ];
    await writeFile(join(broker, 'mosquitto.conf'), config.join('\n'));
    await this.#serve(this.ports.broker, ['mosquitto', '-c', join(broker, 'mosquitto.conf')]);
  }

  /** HAProxy with the shipped configuration; addresses are variables of its environment. */
  async startBalancer(): Promise<void> {
    const folder = join(this.folder, 'balancer');
    const parts = await Promise.all(
      ['portal.crt', 'portal.key'].map((file) => readFile(join(folder, file), 'utf8')),
    );
    await writeFile(join(folder, 'portal.pem'), parts.join(''));
    const { servers, portal, redirect, devices, broker } = this.ports;
    const config = join(deployDir, 'balancer/haproxy.cfg');
    await this.#serve(portal, ['haproxy', '-f', config, '-f', await this.#withStatistics()], {
      SERVER_ONE: `127.0.0.1:${servers.one}`,
      SERVER_TWO: `127.0.0.1:${servers.two}`,
      SERVER_THREE: `127.0.0.1:${servers.three}`,
      BROKER: `127.0.0.1:${broker}`,
      PORTAL_ADDRESS: `127.0.0.1:${portal}`,
      REDIRECT_ADDRESS: `127.0.0.1:${redirect}`,
      DEVICES_ADDRESS: `127.0.0.1:${devices}`,
      PORTAL_CERTIFICATE: join(folder, 'portal.pem'),
    });
  }

  /** The servers of a group to which the load balancer sends requests. */
  async readGroup(role: string): Promise<readonly string[]> {
    const socket = connect(this.#statistics);
    socket.end('show stat\n');
    const rows = (await text(socket)).split('\n').map((line) => line.split(','));
    const status = rows[0]?.indexOf('status') ?? -1;
    return rows
      .filter(([group, name = '']) => group === role && name !== 'BACKEND')
      .filter((row) => row[status]?.startsWith('UP'))
      .map(([, name = '']) => name);
  }

  /**
   * The code of the first email to an address that has one.
   *
   * @param after number of emails that were sent before
   */
  async readCode(to: string, after: number): Promise<string> {
    return until(() =>
      this.mails
        .slice(after)
        .filter((one) => one.to === to)
        .map(({ mail }) => /\b(\d{6})\b/.exec(mail)?.[1])
        .find((code) => code !== undefined),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  #dataDir(name: string): string {
    return join(this.folder, 'data', name);
  }

  get #statistics(): string {
    return join(this.folder, 'haproxy.socket');
  }

  /** A second configuration file that lets the test read the state of the groups. */
  async #withStatistics(): Promise<string> {
    const file = join(this.folder, 'balancer/statistics.cfg');
    await writeFile(file, `global\n  stats socket ${this.#statistics} level user\n`);
    return file;
  }

  #onThisMachine(shipped: Readonly<Record<string, string>>, name: string): Record<string, string> {
    const replaced = Object.entries(this.#here).filter(([key]) => key in shipped);
    return {
      ...shipped,
      ...Object.fromEntries(replaced),
      DEVICEPORTAL_DATA_DIR: this.#dataDir(name),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(this.folder, 'cache'),
    };
  }

  async #serve(
    port: number,
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const program = this.#resources.use(new Program(command));
    program.start({ PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, ...env });
    await until(() => {
      if (!program.runs) throw new Error(`${command.join(' ')} ended:\n${program.output}`);
      return isListening(port);
    });
  }

  async #run(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    const program = new Program(command);
    program.start(env);
    const code = await program.ended();
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${program.output}`);
  }
}
