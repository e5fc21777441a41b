import { fork } from 'node:child_process';
import type { HelperAnswer, HelperRequest } from './helper-process.ts';

export interface Helper<Order> extends AsyncDisposable {
  readonly ask: (order: Order) => Promise<number>;
}

/** Starts a module that calls `answerRequests`. */
export function startHelper<Order>(file: URL, execArgv: readonly string[] = []): Helper<Order> {
  const child = fork(file, {
    serialization: 'advanced',
    stdio: 'inherit',
    execArgv: [...execArgv],
  });
  const waiting = new Map<number, PromiseWithResolvers<number>>();
  let lastId = 0;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      const reason = new Error(`${file.pathname} ended with ${signal ?? code}`);
      for (const { reject } of waiting.values()) reject(reason);
      resolve();
    });
  });
  child.on('message', (answer: HelperAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer.count);
  });
  return {
    ask(order) {
      const asked = Promise.withResolvers<number>();
      const id = (lastId += 1);
      waiting.set(id, asked);
      child.send({ id, order } satisfies HelperRequest<Order>, (error) => {
        if (error) asked.reject(new Error(`${file.pathname} does not answer`, { cause: error }));
      });
      return asked.promise;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
