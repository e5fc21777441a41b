import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  TERMINAL_SILENCE_MS,
  TERMINAL_WINDOW_BYTES,
  type TerminalUp,
} from '@deviceportal/device-protocol/terminal-message';
import type { Pty } from './pty.ts';
import { TerminalSession } from './terminal-session.ts';

const session = '0190aaaa-0000-7000-8000-000000000001';
const limits = { idleMs: 900_000, durationMs: 3_600_000 };

function start() {
  const sent: TerminalUp[] = [];
  const facts = { typed: '', paused: false, hungUp: 0, ended: 0, sizes: [] as string[] };
  const pty: Pty = {
    pid: 1,
    onOutput() {},
    onExit() {},
    write: (bytes) => void (facts.typed += Buffer.from(bytes).toString()),
    resize: (columns, rows) => void facts.sizes.push(`${columns}x${rows}`),
    pause: () => void (facts.paused = true),
    resume: () => void (facts.paused = false),
    hangUp: () => void (facts.hungUp += 1),
  };
  const terminal = new TerminalSession({
    ...{ session, pty, limits, nowMs: 0 },
    send: (message) => void sent.push(message),
    onEnded: () => void (facts.ended += 1),
  });
  return { terminal, sent, facts };
}

const input = (attachment: number, offset: number, text: string) =>
  ({
    kind: 'input',
    ...{ session, attachment, offset },
    data: Buffer.from(text).toString('base64'),
  }) as const;

describe('terminal session on a device', () => {
  it('passes typed text on once and in order, whatever arrives twice or too early', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 80 }), (picks) => {
        const { terminal, facts } = start();
        const text = 'abcdefghijklmnopqrstuvwxyz01234';
        for (const at of picks) terminal.take(input(1, at, text.slice(at, at + 4)), 0);
        expect(text.startsWith(facts.typed)).toBe(true);
        for (let at = 0; at < text.length; at += 2)
          terminal.take(input(1, at, text.slice(at, at + 4)), 0);
        expect(facts.typed).toBe(text);
      }),
    );
  });

  it('ignores text of an earlier browser', () => {
    const { terminal, facts } = start();
    terminal.take(input(1, 0, 'old'), 0);
    terminal.take(input(2, 0, 'new'), 0);
    terminal.take(input(1, 3, ' older'), 0);
    expect(facts.typed).toBe('oldnew');
  });

  it('stops the shell while the server takes no output, and continues it', () => {
    const { terminal, sent, facts } = start();
    terminal.addOutput(new Uint8Array(TERMINAL_WINDOW_BYTES * 3), 0);
    expect(facts.paused).toBe(true);
    const bytes = sent.reduce(
      (sum, message) =>
        message.kind === 'output' ? sum + Buffer.from(message.data, 'base64').length : sum,
      0,
    );
    expect(bytes).toBe(TERMINAL_WINDOW_BYTES);
    terminal.take({ kind: 'ack', session, upTo: TERMINAL_WINDOW_BYTES }, 0);
    terminal.take({ kind: 'keep', session, attachment: 1, limit: TERMINAL_WINDOW_BYTES * 3 }, 0);
    for (let nowMs = 0; nowMs < 5_000; nowMs += 50) terminal.tick(nowMs);
    terminal.take({ kind: 'ack', session, upTo: TERMINAL_WINDOW_BYTES * 3 }, 5_000);
    expect(facts.paused).toBe(false);
  });

  it('ends the shell when the server has not asked for it for a while', () => {
    const { terminal, facts } = start();
    terminal.take({ kind: 'keep', session, attachment: 1, limit: 1 }, 5_000);
    terminal.tick(5_000 + TERMINAL_SILENCE_MS);
    expect(facts.hungUp).toBe(0);
    terminal.tick(5_001 + TERMINAL_SILENCE_MS);
    terminal.tick(5_002 + TERMINAL_SILENCE_MS);
    expect(facts.hungUp).toBe(1);
  });

  it('ends an idle shell', () => {
    const { terminal, sent } = start();
    for (let nowMs = 0; nowMs <= limits.idleMs + 1_000; nowMs += 1_000) {
      terminal.take({ kind: 'keep', session, attachment: 1, limit: 1 }, nowMs);
      terminal.tick(nowMs);
    }
    terminal.shellExited(null, limits.idleMs + 2_000);
    expect(sent.at(-1)).toMatchObject({ kind: 'exit', reason: 'idle' });
  });

  it('reports the end after all output, until the server knows it', () => {
    const { terminal, sent, facts } = start();
    terminal.addOutput(Buffer.from('bye'), 0);
    terminal.shellExited(3, 10);
    expect(sent.some(({ kind }) => kind === 'exit')).toBe(false);
    terminal.take({ kind: 'ack', session, upTo: 3 }, 20);
    terminal.tick(30);
    terminal.tick(600);
    const exits = sent.filter(({ kind }) => kind === 'exit');
    expect(exits).toHaveLength(2);
    expect(exits[0]).toMatchObject({ offset: 3, exitCode: 3, reason: 'exited' });
    terminal.take({ kind: 'done', session }, 700);
    terminal.tick(5_000);
    expect(facts.ended).toBe(1);
    expect(sent.filter(({ kind }) => kind === 'exit')).toHaveLength(2);
  });

  it('applies only the newest size', () => {
    const { terminal, facts } = start();
    const resize = (number: number, columns: number) =>
      terminal.take({ kind: 'resize', session, number, columns, rows: 24 }, 0);
    resize(1, 80);
    resize(3, 120);
    resize(2, 100);
    expect(facts.sizes).toEqual(['80x24', '120x24']);
  });
});
