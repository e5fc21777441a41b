import { createContext, Script } from 'node:vm';

const held: { work?: () => unknown } = {};
const context = createContext(held);
const script = new Script('work()');

/** What work answers; undefined where it takes longer, in the middle of a search too. For a thread of its own. */
export function withinTime<Result>(ms: number, work: () => Result): Result | undefined {
  held.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
