import type { PtyPlace } from './load-pty.ts';
import { loadPty } from './load-pty.ts';
import type { Pty, PtyRequest } from './pty.ts';
import type { TerminalAccount } from './terminal-account.ts';

const KILL_AFTER_MS = 3_000;

/** Starts a login shell of the account. @throws Error if there is no pseudoterminal on this machine */
export async function openPty(
  place: PtyPlace,
  account: TerminalAccount,
  { columns, rows }: PtyRequest,
): Promise<Pty> {
  const { spawn } = await loadPty(place);
  const terminal = spawn(account.file, [...account.args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: account.directory,
    env: { ...account.environment },
    // Bytes, because a chunk can end within a character.
    encoding: null,
  });
  let ended = false;
  terminal.onExit(() => {
    ended = true;
  });
  const signal = (name: NodeJS.Signals): void => {
    if (ended) return;
    for (const target of [-terminal.pid, terminal.pid]) {
      try {
        process.kill(target, name);
      } catch {
        // It has ended, or has no group of its own.
      }
    }
  };
  return {
    pid: terminal.pid,
    onOutput: (listener) =>
      void terminal.onData((data: string | Uint8Array) =>
        listener(typeof data === 'string' ? Buffer.from(data) : data),
      ),
    onExit: (listener) =>
      void terminal.onExit(({ exitCode, signal: killedBy }) =>
        listener(killedBy ? null : exitCode),
      ),
    write: (bytes) => {
      if (!ended) terminal.write(Buffer.from(bytes) as unknown as string);
    },
    resize: (newColumns, newRows) => {
      if (!ended) terminal.resize(newColumns, newRows);
    },
    pause: () => terminal.pause(),
    resume: () => terminal.resume(),
    hangUp() {
      // Programs that ignore the hang-up are killed.
      terminal.resume();
      signal('SIGHUP');
      setTimeout(() => signal('SIGKILL'), KILL_AFTER_MS).unref();
    },
  };
}
