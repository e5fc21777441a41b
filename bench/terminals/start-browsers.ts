import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FromBrowsers, ToBrowsers } from './browsers-process.ts';

/** The process of the browsers: send it commands and wait for its messages. */
export interface Browsers extends AsyncDisposable {
  readonly ask: <Kind extends FromBrowsers['kind']>(
    order: ToBrowsers,
    answer: Kind,
  ) => Promise<Extract<FromBrowsers, { kind: Kind }>>;
}

export function startBrowsers(): Browsers {
  const child = fork(new URL('browsers-process.ts', import.meta.url), { stdio: 'inherit' });
  const ended = once(child, 'exit');
  return {
    async ask(order, answer) {
      child.send(order);
      for (;;) {
        const message = await Promise.race([once(child, 'message'), ended]);
        const [told] = message as [FromBrowsers | number | null];
        if (told === null || typeof told === 'number') throw new Error('the browsers ended');
        if (told.kind === answer) return told as never;
      }
    },
    async [Symbol.asyncDispose]() {
      child.send({ kind: 'stop' } satisfies ToBrowsers);
      await ended;
    },
  };
}
