import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../gateway-fixture.ts';
import { isListening } from '../is-listening.ts';

const START_LIMIT_MS = 60_000;

export interface BrokerProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Default: that of the tests. */
  readonly directory?: string;
  /** At which it accepts connections when it is ready. */
  readonly ports: readonly number[];
}

/** A node of a broker on this machine. */
export class BrokerProcess implements AsyncDisposable {
  readonly #options: BrokerProcessOptions;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(options: BrokerProcessOptions) {
    this.#options = options;
  }

  /** What it has written to its log. */
  get output(): string {
    return this.#output;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    const { program, args, environment, directory } = this.#options;
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
      cwd: directory,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => void (this.#output += text.toString()));
    this.#child = child;
  }

  /** @throws with its output if it has ended */
  async untilListening(): Promise<void> {
    await until(async () => {
      if (this.hasEnded) throw new Error(`${this.#options.program} ended:\n${this.#output}`);
      const answers = await Promise.all(this.#options.ports.map(isListening));
      return answers.every(Boolean);
    }, START_LIMIT_MS);
  }

  get hasEnded(): boolean {
    return (
      this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null
    );
  }

  /** kill -9: no will of its devices is published. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.hasEnded) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
