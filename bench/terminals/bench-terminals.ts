import type { Pty } from '../../apps/agent/src/terminal/pty.ts';
import { TerminalHost } from '../../apps/agent/src/terminal/terminal-host.ts';

const OUTPUT_EVERY_MS = 250;
const OUTPUT = Buffer.from(`${'x'.repeat(510)}\r\n`);

/** The terminals of a device as an agent has them, with a shell that prints 2 KB/s and repeats what is typed. */
export function openBenchTerminals(
  deviceId: string,
  publish: (message: string) => void,
): TerminalHost {
  return new TerminalHost({
    isOn: true,
    account: () => ({ name: 'bench', file: '', args: [], directory: '/', environment: {} }),
    consentProgram: null,
    signConsent: () => {
      throw new Error('no consent in a benchmark');
    },
    deviceId: () => deviceId,
    isSigned: () => true,
    serverNow: () => Date.now(),
    send: publish,
    openPty: async () => new BenchPty(),
    log: () => {},
    now: () => performance.now(),
  });
}

class BenchPty implements Pty {
  readonly pid = 0;
  #listener: ((bytes: Uint8Array) => void) | undefined;
  #exited: ((exitCode: number | null) => void) | undefined;
  readonly #timer = setInterval(() => {
    if (!this.#isPaused) this.#listener?.(OUTPUT);
  }, OUTPUT_EVERY_MS);
  #isPaused = false;

  onOutput(listener: (bytes: Uint8Array) => void): void {
    this.#listener = listener;
  }

  onExit(listener: (exitCode: number | null) => void): void {
    this.#exited = listener;
  }

  write(bytes: Uint8Array): void {
    this.#listener?.(bytes);
  }

  resize(): void {}

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  hangUp(): void {
    clearInterval(this.#timer);
    this.#exited?.(null);
  }
}
